/** The filters of the webhooks table, as part of the URL. */
import { type DeliveryEvent, deliveryEvents, type DeliveryRecord } from '@parley/contracts';
import { calendarDay, oneOf, pageNumber, withoutUndefined } from '../client/search-values.rules.ts';

type DeliveryStatus = DeliveryRecord['status'];

/** In the order of a delivery's life. */
export const deliveryStatuses = [
  'pending',
  'delivered',
  'failed',
  'disabled',
] as const satisfies readonly DeliveryStatus[];

/** Search part of `/webhooks`. Absent means "all". */
export interface DeliverySearch {
  status?: DeliveryStatus;
  event?: DeliveryEvent;
  /** First day, `YYYY-MM-DD`. */
  from?: string;
  /** Last day. */
  until?: string;
  /** Page 1 is omitted. */
  page?: number;
}

/** Reads the search part of a URL. */
export function readDeliverySearch(raw: Record<string, unknown>): DeliverySearch {
  return withoutUndefined<DeliverySearch>({
    status: oneOf(deliveryStatuses, raw['status']),
    event: oneOf(deliveryEvents, raw['event']),
    from: calendarDay(raw['from']),
    until: calendarDay(raw['until']),
    page: pageNumber(raw['page']),
  });
}

/** The query of the list for the filters of a URL. */
export function deliveryQuery({ from, until, page = 1, ...same }: DeliverySearch) {
  return {
    ...same,
    page,
    ...(from !== undefined && { date_from: from }),
    ...(until !== undefined && { date_to: until }),
  };
}
