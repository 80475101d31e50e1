/** The filters of the webhooks table, as part of the URL. */
import type { DeliveryEvent, DeliveryRecord } from '@parley/contracts';
import { texts as callTexts } from '../calls/texts.ts';
import { calendarDay, pageNumber, withoutUndefined } from '../client/search-values.rules.ts';
import { texts } from './texts.ts';

type DeliveryStatus = DeliveryRecord['status'];

/** In the order of a delivery's life. */
export const deliveryStatuses = Object.keys(callTexts.deliveries.status) as DeliveryStatus[];
/** The events that deliveries report. */
export const deliveryEvents = Object.keys(texts.events) as DeliveryEvent[];

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

/** Changes of the filters; `undefined` removes one. */
export type DeliverySearchChanges = { [Name in keyof DeliverySearch]: DeliverySearch[Name] | undefined };

/** A choice of a filter; undefined for any other value. */
function chosen<Choice extends string>(choices: readonly Choice[], value: unknown): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** Reads the search part of a URL. */
export function readDeliverySearch(raw: Record<string, unknown>): DeliverySearch {
  return withoutUndefined<DeliverySearch>({
    status: chosen(deliveryStatuses, raw['status']),
    event: chosen(deliveryEvents, raw['event']),
    from: calendarDay(raw['from']),
    until: calendarDay(raw['until']),
    page: pageNumber(raw['page']),
  });
}

/** Whether anything is filtered. */
export function hasFilters(search: DeliverySearch): boolean {
  return Object.keys(search).some((name) => name !== 'page');
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
