/** The filters of the calls table, as part of the URL. */
import type { CallOutcome, CallStatus, CallType } from '@parley/contracts';
import {
  calendarDay,
  pageNumber,
  positiveInteger,
  searchText,
  withoutUndefined,
} from '../client/search-values.rules.ts';
import { isCallOutcome, isCallStatus, isCallType } from './call-status.rules.ts';

/** Search part of `/calls`. Absent means "all". */
export interface CallSearch {
  status?: CallStatus;
  type?: CallType;
  outcome?: CallOutcome;
  /** As the list of a campaign names it. */
  disposition?: string;
  /** Part of the customer's number. */
  number?: string;
  /** Id of the assistant. */
  assistant?: number;
  /** Id of the campaign. */
  campaign?: number;
  /** First day, `YYYY-MM-DD`. */
  from?: string;
  /** Last day. */
  until?: string;
  /** Page 1 is omitted. */
  page?: number;
}

/** Reads the search part of an address. */
export function readCallSearch(raw: Record<string, unknown>): CallSearch {
  const search: CallSearch = {};
  if (isCallStatus(raw['status'])) search.status = raw['status'];
  if (isCallType(raw['type'])) search.type = raw['type'];
  if (isCallOutcome(raw['outcome'])) search.outcome = raw['outcome'];
  return withoutUndefined<CallSearch>({
    ...search,
    disposition: searchText(raw['disposition']),
    number: searchText(raw['number']),
    assistant: positiveInteger(raw['assistant']),
    campaign: positiveInteger(raw['campaign']),
    from: calendarDay(raw['from']),
    until: calendarDay(raw['until']),
    page: pageNumber(raw['page']),
  });
}

/** Whether anything is filtered. */
export function hasFilters(search: CallSearch): boolean {
  return Object.keys(search).some((name) => name !== 'page');
}

/** Changes of the filters; `undefined` removes one. */
export type CallSearchChanges = { [Name in keyof CallSearch]: CallSearch[Name] | undefined };

/** The query of the list for the filters of a URL. */
export function callQuery({ number, assistant, campaign, from, until, page = 1, ...same }: CallSearch) {
  return {
    ...same,
    page,
    ...(number !== undefined && { phone_number: number }),
    ...(assistant !== undefined && { assistant_id: assistant }),
    ...(campaign !== undefined && { campaign_id: campaign }),
    ...(from !== undefined && { date_from: from }),
    ...(until !== undefined && { date_to: until }),
  };
}
