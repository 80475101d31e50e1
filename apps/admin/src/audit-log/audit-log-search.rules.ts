/** The filters of the audit log, as part of the URL. */
import { instantsOf } from '../client/day-range.rules.ts';
import {
  calendarDay,
  oneOf,
  pageNumber,
  positiveInteger,
  withoutUndefined,
} from '../client/search-values.rules.ts';
import { areaTexts, type AuditArea } from './operations/texts.ts';

/** Search part of `/audit-log`. Absent means "all". */
export interface AuditLogSearch {
  area?: AuditArea;
  user?: number;
  /** First day, `YYYY-MM-DD`, in the time zone of the browser, as all times of the page. */
  from?: string;
  /** Last day. */
  until?: string;
  page?: number;
}

const AREAS = Object.keys(areaTexts) as AuditArea[];

/** Reads the search part of a URL. */
export function readAuditLogSearch(raw: Record<string, unknown>): AuditLogSearch {
  return withoutUndefined<AuditLogSearch>({
    area: oneOf(AREAS, raw['area']),
    user: positiveInteger(raw['user']),
    from: calendarDay(raw['from']),
    until: calendarDay(raw['until']),
    page: pageNumber(raw['page']),
  });
}

/** The query of the list for the filters of a URL. */
export function auditLogQuery({ area, user, page = 1, ...days }: AuditLogSearch) {
  return {
    page,
    ...(area !== undefined && { operation: area }),
    ...(user !== undefined && { user_id: user }),
    ...instantsOf(days),
  };
}
