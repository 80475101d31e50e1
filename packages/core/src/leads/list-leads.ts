/**
 * A user's leads, newest first: all of them in batches, or one page. SQL, because there may be millions. Each batch continues
 * after the last id, so that a million leads need no more memory than a thousand, hold no transaction open, and no lead is
 * skipped or repeated. Each combination of filters is a prepared statement of its own.
 */
import type { CallOutcome, LeadRecord, LeadState, LeadStatus, LeadSummary } from '@parley/contracts';
import { statement, type SqlValue, type Statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { LAST_OUTCOME, LEAD_STATE, summariseLeads } from './lead-summary.ts';
import {
  CONTACT_COLUMNS,
  LEAD_LIST_COLUMNS,
  leadRecord,
  type ContactListRow,
  type LeadListRow,
} from './lead-record.ts';

/** Which leads. */
export interface LeadFilters {
  campaignId?: number | undefined;
  status?: LeadStatus | undefined;
  state?: LeadState | undefined;
  /** The outcome of the newest call to the lead or one of its contacts. */
  outcome?: CallOutcome | undefined;
  /** Part of the number; only its digits are looked at. */
  phoneNumber?: string | undefined;
  /** `YYYY-MM-DD`, inclusive, in the user's time zone. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

/** Enough to make the round trip cheap, few enough to be nothing in memory. */
const BATCH_SIZE = 50;
/** Above every id. */
const NO_LIMIT_ID = Number.MAX_SAFE_INTEGER;

/** Conditions in a fixed order; `$n` is the value's place, `$2` the reader's time zone. */
const CONDITIONS = {
  campaignId: (place: string) => `l.campaign_id = ${place}`,
  status: (place: string) => `l.status = ${place}`,
  state: (place: string) => `${LEAD_STATE} = ${place}`,
  outcome: (place: string) => `${LAST_OUTCOME} = ${place}`,
  phoneNumber: (place: string) => `position(${place} in l.phone_number) > 0`,
  dateFrom: (place: string) => `l.created_at >= ${place}::date::timestamp at time zone $2`,
  dateTo: (place: string) => `l.created_at < (${place}::date + 1)::timestamp at time zone $2`,
};

type FilterName = keyof typeof CONDITIONS;
const FILTER_NAMES = Object.keys(CONDITIONS) as FilterName[];

const selectContacts = statement<ContactListRow>(
  'list_lead_contacts',
  `select ${CONTACT_COLUMNS} from leads where parent_id = any($1) order by parent_id, id`,
);

/** All leads, in batches; ends when the consumer stops reading. */
export async function* streamLeads(
  ctx: CoreContext,
  identity: Identity,
  filters: LeadFilters,
): AsyncGenerator<LeadRecord[]> {
  const { sql, bound } = prepare(identity, filters);
  for (let below = NO_LIMIT_ID; ;) {
    const rows = await ctx.db.query(sql.batch, [...bound, below]);
    const last = rows.at(-1);
    if (!last) return;
    yield withContacts(ctx, rows, identity.timezone);
    if (rows.length < BATCH_SIZE) return;
    below = last.id;
  }
}

/** One page, and how many leads there are on all pages. */
export async function listLeads(
  ctx: CoreContext,
  identity: Identity,
  filters: LeadFilters & { page: number; perPage: number },
): Promise<{ rows: LeadRecord[]; total: number }> {
  const { sql, bound } = prepare(identity, filters);
  const { page, perPage } = filters;
  const [rows, [counted]] = await Promise.all([
    ctx.db.query(sql.page, [...bound, perPage, (page - 1) * perPage]),
    ctx.db.query(sql.count, bound),
  ]);
  return { rows: await withContacts(ctx, rows, identity.timezone), total: counted?.total ?? 0 };
}

/** The leads after one, and the position of the last of them; null at the end. */
export async function listLeadsAfter(
  ctx: CoreContext,
  identity: Identity,
  filters: LeadFilters & { after: readonly [number] | null; perPage: number },
): Promise<{ rows: LeadRecord[]; next: [number] | null }> {
  const { sql, bound } = prepare(identity, filters);
  const { after, perPage } = filters;
  // One more than is sent tells whether there are others.
  const found = await ctx.db.query(sql.after, [...bound, after?.[0] ?? NO_LIMIT_ID, perPage + 1]);
  const rows = found.slice(0, perPage);
  const last = rows.at(-1);
  return {
    rows: await withContacts(ctx, rows, identity.timezone),
    next: last && found.length > perPage ? [last.id] : null,
  };
}

/** The same page for the admin app. */
export async function listLeadSummaries(
  ctx: CoreContext,
  identity: Identity,
  filters: LeadFilters & { page: number; perPage: number },
): Promise<{ rows: LeadSummary[]; total: number }> {
  const { rows, total } = await listLeads(ctx, identity, filters);
  return { rows: await summariseLeads(ctx.db, rows), total };
}

/** The ids of the next leads from the newest to the oldest. */
export async function selectLeadIds(
  ctx: CoreContext,
  identity: Identity,
  { filters, below, limit }: { filters: LeadFilters; below: number | null; limit: number },
): Promise<number[]> {
  const { sql, bound } = prepare(identity, filters);
  const rows = await ctx.db.query(sql.ids, [...bound, below ?? NO_LIMIT_ID, limit]);
  return rows.map(({ id }) => id);
}

/** The names of the variables of these leads, sorted. */
export async function leadVariableNames(
  ctx: CoreContext,
  identity: Identity,
  filters: LeadFilters,
  limit: number,
): Promise<string[]> {
  const { sql, bound } = prepare(identity, filters);
  const rows = await ctx.db.query(sql.names, [...bound, limit]);
  return rows.map(({ name }) => name);
}

async function withContacts(
  ctx: CoreContext,
  rows: readonly LeadListRow[],
  timezone: string,
): Promise<LeadRecord[]> {
  if (rows.length === 0) return [];
  const found = await ctx.db.query(selectContacts, [rows.map(({ id }) => id)]);
  const contacts = Map.groupBy(found, ({ parentId }) => parentId);
  return rows.map((row) => leadRecord(row, contacts.get(row.id) ?? [], timezone));
}

function prepare(identity: Identity, filters: LeadFilters): { sql: ListStatements; bound: SqlValue[] } {
  const { phoneNumber } = filters;
  const values = { ...filters, phoneNumber: phoneNumber && digitsOf(phoneNumber) };
  const given = FILTER_NAMES.filter((name) => values[name] !== undefined);
  const bound = [identity.userId, identity.timezone, ...given.map((name) => values[name] ?? null)];
  return { sql: statementsFor(given), bound };
}

/** People type spaces and brackets; stored numbers have none. Text without a digit is no part of any number. */
function digitsOf(text: string): string {
  return text.replace(/\D/g, '') || text;
}

interface ListStatements {
  after: Statement<LeadListRow>;
  batch: Statement<LeadListRow>;
  page: Statement<LeadListRow>;
  count: Statement<{ total: number }>;
  ids: Statement<{ id: number }>;
  names: Statement<{ name: string }>;
}

const known = new Map<string, ListStatements>();

function statementsFor(given: readonly FilterName[]): ListStatements {
  // Short, because Postgres distinguishes the names of statements by their first 63 characters.
  const key = given.map((name) => FILTER_NAMES.indexOf(name)).join('');
  const made = known.get(key) ?? makeStatements(key, given);
  known.set(key, made);
  return made;
}

/** Pages are found on the index alone where that is possible, and joined with the rows afterwards. */
function makeStatements(key: string, given: readonly FilterName[]): ListStatements {
  // The time zone is always bound, so it must always be used.
  const always = ['l.user_id = $1', 'l.parent_id is null', '$2::text is not null'];
  const where = [...always, ...given.map((name, index) => CONDITIONS[name](`$${index + 3}`))].join(' and ');
  const next = given.length + 3;
  const from = 'from leads l join campaigns c on c.id = l.campaign_id';
  return {
    after: statement(
      `leads_after_${key}`,
      `select ${LEAD_LIST_COLUMNS} ${from} where ${where} and l.id < $${next} order by l.id desc limit $${next + 1}`,
    ),
    batch: statement(
      `stream_leads_${key}`,
      `select ${LEAD_LIST_COLUMNS} ${from} where ${where} and l.id < $${next} order by l.id desc limit ${BATCH_SIZE}`,
    ),
    page: statement(
      `list_leads_${key}`,
      `with page as (select l.id from leads l where ${where} order by l.id desc limit $${next} offset $${next + 1})
       select ${LEAD_LIST_COLUMNS} from page join leads l using (id) join campaigns c on c.id = l.campaign_id
       order by l.id desc`,
    ),
    count: statement(`count_leads_${key}`, `select count(*) as total from leads l where ${where}`),
    ids: statement(
      `lead_ids_${key}`,
      `select l.id from leads l where ${where} and l.id < $${next} order by l.id desc limit $${next + 1}`,
    ),
    names: statement(
      `lead_variable_names_${key}`,
      `select distinct jsonb_object_keys(l.variables) as name from leads l where ${where} order by 1 limit $${next}`,
    ),
  };
}
