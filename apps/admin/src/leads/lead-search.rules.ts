/** The filters of the leads table, as part of the URL. */
import { type CallOutcome, callOutcomes, type LeadState, leadStates } from '@parley/contracts';
import { oneOf, positiveInteger, searchText, withoutUndefined } from '../client/search-values.rules.ts';

/** Search part of `/leads`. Absent means "all". */
export interface LeadSearch {
  /** Id of the campaign. */
  campaign?: number;
  state?: LeadState;
  /** The outcome of the newest call. */
  outcome?: CallOutcome;
  /** Part of the number. */
  number?: string;
  /** The number of the row on top, from 1, which is omitted. */
  row?: number;
}

/** Reads the search part of a URL. */
export function readLeadSearch(raw: Record<string, unknown>): LeadSearch {
  return withoutUndefined<LeadSearch>({
    campaign: positiveInteger(raw['campaign']),
    state: oneOf(leadStates, raw['state']),
    outcome: oneOf(callOutcomes, raw['outcome']),
    number: searchText(raw['number']),
    row: positiveInteger(raw['row']),
  });
}

/** The query of the list for the filters of a URL. */
export function leadQuery({ campaign, number, state, outcome }: LeadSearch) {
  return {
    ...(state !== undefined && { state }),
    ...(outcome !== undefined && { outcome }),
    ...(campaign !== undefined && { campaign_id: campaign }),
    ...(number !== undefined && { phone_number: number }),
  };
}
