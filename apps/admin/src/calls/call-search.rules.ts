/** The filters of the calls table, as part of the URL. */
import {
  type CallOutcome,
  callOutcomes,
  type CallStatus,
  callStatuses,
  type CallType,
  callTypes,
} from '@parley/contracts';
import {
  calendarDay,
  oneOf,
  pageNumber,
  positiveInteger,
  searchText,
  withoutUndefined,
} from '../client/search-values.rules.ts';

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
  /** Absent: by the start. */
  sort?: CallSort;
  /** Absent: the newest, longest or most expensive calls are first. */
  order?: 'ascending';
  /** Id of the call whose preview is open. */
  preview?: number;
}

/** The columns by which the list can be sorted. */
export const CALL_SORTS = ['started', 'duration', 'cost'] as const;
/** One of {@link CALL_SORTS}. */
export type CallSort = (typeof CALL_SORTS)[number];

/** Reads the search part of an address. */
export function readCallSearch(raw: Record<string, unknown>): CallSearch {
  return withoutUndefined<CallSearch>({
    status: oneOf(callStatuses, raw['status']),
    type: oneOf(callTypes, raw['type']),
    outcome: oneOf(callOutcomes, raw['outcome']),
    order: oneOf(['ascending'], raw['order']),
    disposition: searchText(raw['disposition']),
    number: searchText(raw['number']),
    assistant: positiveInteger(raw['assistant']),
    campaign: positiveInteger(raw['campaign']),
    from: calendarDay(raw['from']),
    until: calendarDay(raw['until']),
    page: pageNumber(raw['page']),
    sort: oneOf(CALL_SORTS.slice(1), raw['sort']),
    preview: positiveInteger(raw['preview']),
  });
}

/** The address after a click on the head of a column: its highest values first, then its lowest. */
export function sortedBy(search: CallSearch, sort: CallSort): CallSearch {
  const { sort: before = 'started', order, page: _, ...rest } = search;
  return {
    ...rest,
    ...(sort !== 'started' && { sort }),
    ...(sort === before && order !== 'ascending' && { order: 'ascending' }),
  };
}

/** The query of the list for a URL. */
export function callQuery(search: CallSearch) {
  const { page = 1, sort = 'started', order } = search;
  return { ...filterQuery(search), page, sort, is_ascending: order === 'ascending' };
}

/** The filters of a URL in the names of the API. */
export function filterQuery({ number, assistant, campaign, from, until, ...rest }: CallSearch) {
  const { page: _page, sort: _sort, order: _order, preview: _preview, ...same } = rest;
  return {
    ...same,
    ...(number !== undefined && { phone_number: number }),
    ...(assistant !== undefined && { assistant_id: assistant }),
    ...(campaign !== undefined && { campaign_id: campaign }),
    ...(from !== undefined && { date_from: from }),
    ...(until !== undefined && { date_to: until }),
  };
}
