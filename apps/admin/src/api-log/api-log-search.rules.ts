/** The filters of the API log, as part of the URL. */
import {
  apiMethods,
  statusClasses,
  type ApiMethod,
  type ApiRequestRecord,
  type StatusClass,
} from '@parley/contracts';
import { instantsOf } from '../client/day-range.rules.ts';
import {
  calendarDay,
  oneOf,
  positiveInteger,
  searchText,
  withoutUndefined,
} from '../client/search-values.rules.ts';

/** Search part of `/api-log`. Absent means "all". */
export interface ApiLogSearch {
  status?: StatusClass;
  method?: ApiMethod;
  /** The beginning of an operation's name, or of a path. */
  operation?: string;
  token?: number;
  request?: string;
  /** First day, `YYYY-MM-DD`, in the time zone of the browser, as all times of the page. */
  from?: string;
  /** Last day. */
  until?: string;
  /** The number of an entry, from whose next older one on the list is shown. */
  before?: number;
}

const MOST_CHARACTERS = 64;

/** Reads the search part of a URL. */
export function readApiLogSearch(raw: Record<string, unknown>): ApiLogSearch {
  return withoutUndefined<ApiLogSearch>({
    status: oneOf(statusClasses, raw['status']),
    method: oneOf(apiMethods, raw['method']),
    operation: searchText(raw['operation'])?.slice(0, MOST_CHARACTERS),
    token: positiveInteger(raw['token']),
    request: searchText(raw['request'])?.slice(0, MOST_CHARACTERS),
    from: calendarDay(raw['from']),
    until: calendarDay(raw['until']),
    before: positiveInteger(raw['before']),
  });
}

/** The query of the list for the filters of a URL. */
export function apiLogQuery({ token, request, from, until, ...same }: ApiLogSearch) {
  return {
    ...same,
    ...(token !== undefined && { token_id: token }),
    ...(request !== undefined && { request_id: request }),
    ...instantsOf({ ...(from && { from }), ...(until && { until }) }),
  };
}

/** The path with the id of the record, where the entry has it. */
export function pathOf({ path, object_id: id }: Pick<ApiRequestRecord, 'path' | 'object_id'>): string {
  return id === null ? path : path.replace(':id', String(id));
}
