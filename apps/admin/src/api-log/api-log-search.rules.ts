/** The filters of the API log, as part of the URL. */
import {
  apiMethods,
  statusClasses,
  type ApiMethod,
  type ApiRequestRecord,
  type StatusClass,
} from '@parley/contracts';
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
const DAY_MS = 86_400_000;

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
    ...(from !== undefined && { from: startOf(from).toISOString() }),
    ...(until !== undefined && { to: startOf(dayAfter(until)).toISOString() }),
  };
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00`);
}

/** A day with a change of clocks has not 24 hours, so the calendar counts and not the clock. */
function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/** The path with the id of the record, where the entry has it. */
export function pathOf({ path, object_id: id }: Pick<ApiRequestRecord, 'path' | 'object_id'>): string {
  return id === null ? path : path.replace(':id', String(id));
}
