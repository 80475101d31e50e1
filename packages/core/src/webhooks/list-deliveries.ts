/**
 * The log of a user's webhooks: a page, newest first, those after a position of the list, and one delivery with all attempts. SQL, because there may be millions.
 */
import type { DeliveryDetail, DeliveryRecord } from '@parley/contracts';
import {
  statement,
  type DeliveryAttemptRow,
  type DeliveryRow,
  type SqlValue,
  type Statement,
} from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { DELIVERY_COLUMNS, deliveryDetail, deliveryRecord, type DeliveryListRow } from './delivery-record.ts';

/** The filters and the page. */
export interface DeliveryFilters {
  /** From 1. */
  page: number;
  perPage: number;
  callId?: number | undefined;
  status?: DeliveryRow['status'] | undefined;
  event?: string | undefined;
  endpointId?: number | undefined;
  /** `YYYY-MM-DD`, inclusive, in the user's time zone. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

/** `$n` is the position of the value, `$2` the reader's time zone. */
const CONDITIONS = {
  callId: (place: string) => `d.call_id = ${place}`,
  status: (place: string) => `d.status = ${place}`,
  event: (place: string) => `d.event = ${place}`,
  endpointId: (place: string) => `d.endpoint_id = ${place}`,
  dateFrom: (place: string) => `d.created_at >= ${place}::date::timestamp at time zone $2`,
  dateTo: (place: string) => `d.created_at < (${place}::date + 1)::timestamp at time zone $2`,
};

type FilterName = keyof typeof CONDITIONS;
const FILTER_NAMES = Object.keys(CONDITIONS) as FilterName[];

/** The place of a delivery in the list: microseconds since 1970 of its creation, which a Date would round, and its id. */
export type DeliveryPosition = readonly [createdUs: number, id: string];

interface ListStatements {
  page: Statement<DeliveryListRow>;
  after: Statement<DeliveryListRow & { createdUs: number }>;
  count: Statement<{ total: number }>;
}

const known = new Map<string, ListStatements>();

/** One page, and how many deliveries there are on all pages. */
export async function listDeliveries(
  ctx: CoreContext,
  identity: Identity,
  filters: DeliveryFilters,
): Promise<{ rows: DeliveryRecord[]; total: number }> {
  const { page, count, bound } = prepare(identity, filters);
  const place = [filters.perPage, (filters.page - 1) * filters.perPage];
  const [rows, counted] = await Promise.all([
    ctx.db.query(page, [...bound, ...place]),
    ctx.db.query(count, bound),
  ]);
  return { rows: rows.map((row) => deliveryRecord(row)), total: counted[0]?.total ?? 0 };
}

/**
 * The deliveries after a position, newest first; null: from the newest on. Deliveries that are added meanwhile move no
 * others.
 *
 * @returns `next` is null at the end of the list
 */
export async function listDeliveriesAfter(
  ctx: CoreContext,
  identity: Identity,
  filters: Omit<DeliveryFilters, 'page'> & { after: DeliveryPosition | null },
): Promise<{ rows: DeliveryRecord[]; next: DeliveryPosition | null }> {
  const { after, bound } = prepare(identity, filters);
  const { perPage } = filters;
  const [createdUs, id] = filters.after ?? [Number.MAX_SAFE_INTEGER, NO_ID];
  const found = await ctx.db.query(after, [...bound, perPage + 1, createdUs, id]);
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  return {
    rows: rows.map((row) => deliveryRecord(row)),
    next: last ? [last.createdUs, last.id] : null,
  };
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

function prepare(
  { userId, timezone }: Identity,
  filters: Omit<DeliveryFilters, 'page'>,
): ListStatements & { bound: SqlValue[] } {
  const given = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  const bound = [userId, timezone, ...given.map((name) => filters[name] ?? null)];
  return { ...statementsFor(given), bound };
}

function statementsFor(given: readonly FilterName[]): ListStatements {
  const key = given.map((name) => FILTER_NAMES.indexOf(name)).join('');
  const made = known.get(key) ?? makeStatements(key, given);
  known.set(key, made);
  return made;
}

/** Each combination of filters is a prepared statement of its own, so that each finds its index. */
function makeStatements(key: string, given: readonly FilterName[]): ListStatements {
  // The time zone is always bound, so it must always be used.
  const always = ['d.user_id = $1', '$2::text is not null'];
  const where = [...always, ...given.map((name, index) => CONDITIONS[name](`$${index + 3}`))].join(' and ');
  return {
    page: statement(
      `list_deliveries_${key}`,
      `select ${DELIVERY_COLUMNS} from deliveries d where ${where}
       order by d.created_at desc, d.id limit $${given.length + 3} offset $${given.length + 4}`,
    ),
    after: statement(
      `list_deliveries_after_${key}`,
      `select ${DELIVERY_COLUMNS}, (extract(epoch from d.created_at) * 1000000)::bigint as created_us
       from deliveries d
       where ${where} and d.created_at <= ${instantAt(given.length + 4)}
         and (d.created_at < ${instantAt(given.length + 4)} or d.id > $${given.length + 5}::uuid)
       order by d.created_at desc, d.id limit $${given.length + 3}`,
    ),
    count: statement(`count_deliveries_${key}`, `select count(*) as total from deliveries d where ${where}`),
  };
}

/** The instant that a value gives in microseconds since 1970. */
function instantAt(place: number): string {
  return `(timestamptz 'epoch' + $${place}::bigint * interval '1 microsecond')`;
}

const selectDelivery = statement<DeliveryListRow & Pick<DeliveryRow, 'payload'>>(
  'find_delivery',
  `select ${DELIVERY_COLUMNS}, d.payload from deliveries d where d.id = $1 and d.user_id = $2`,
);
const selectAttempts = statement<DeliveryAttemptRow>(
  'find_attempts_of_delivery',
  'select * from delivery_attempts where delivery_id = $1 order by number',
);

/** @throws DomainError `not-found`, also for another user's */
export async function findDelivery(
  ctx: CoreContext,
  identity: Identity,
  id: string,
): Promise<DeliveryDetail> {
  const [row] = await ctx.db.query(selectDelivery, [id, identity.userId]);
  if (!row) throw deliveryNotFound();
  return deliveryDetail(row, await ctx.db.query(selectAttempts, [id]));
}

/** The error for a delivery that does not exist or belongs to another user. */
export function deliveryNotFound(): DomainError {
  return new DomainError('not-found', 'Webhook delivery not found');
}
