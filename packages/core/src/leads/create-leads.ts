/**
 * Creates many leads of one campaign in one transaction. Each row is accepted or refused separately. SQL, because there
 * may be 10,000 rows. Locks the campaign's numbers first and the campaign last, so that the dialer waits only for the
 * commit (see imports/write-batch.ts).
 */
import { setImmediate } from 'node:timers/promises';
import {
  bulkLead,
  fieldErrors,
  fieldFault,
  wording,
  type BulkLead,
  type BulkResult,
  type BulkRow,
  type NewLeads,
} from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { campaignNotFound } from '../campaigns/find-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import type { Identity } from '../users/identity.ts';

/** Rows that are validated before other requests get their turn: 5 ms. */
const ROWS_AT_A_TIME = 200;

/** The lock of every creation with several numbers, as in the function parley_create_lead. */
const lockNumbers = statement(
  'lock_numbers_of_bulk',
  `select pg_advisory_xact_lock(hashtextextended('leads:' || $1::bigint, 0))`,
);
const selectTaken = statement<{ phoneNumber: string }>(
  'bulk_numbers_taken',
  `select distinct phone_number from leads where campaign_id = $1 and phone_number = any($2)`,
);
/** Ids are in the order of the rows. */
const insertLeads = statement<{ id: number }>(
  'bulk_leads',
  `with added as (
     insert into leads (user_id, campaign_id, phone_number, variables, status, dial_state, created_at, updated_at)
     select $1, $2, r.phone_number, r.variables::jsonb, 'created', 'waiting', $3, $3
     from unnest($4::text[], $5::text[]) with ordinality as r(phone_number, variables, place) order by r.place
     returning id),
   queued as (
     insert into dial_queue (campaign_id, ready_at, lead_id, attempt) select $2, $3, id, 1 from added order by id)
   select id from added order by id`,
);
const lockCampaign = statement<{ isRunning: boolean }>(
  'bulk_campaign_status',
  `select status = 'in-progress' as is_running from campaigns
   where id = $1 and user_id = $2 and deleted_at is null for share`,
);
const findCampaign = statement<{ id: number }>(
  'bulk_campaign',
  `select id from campaigns where id = $1 and user_id = $2 and deleted_at is null`,
);

/** A row without faults. */
interface ReadRow {
  row: number;
  phoneNumber: string;
  /** JSON. */
  variables: string;
}

interface Target {
  userId: number;
  campaignId: number;
}

/** @throws DomainError `not-found` for a campaign that does not exist or belongs to another user */
export async function createLeads(
  ctx: CoreContext,
  { userId }: Identity,
  { campaignId, body }: { campaignId: number; body: NewLeads },
): Promise<BulkResult> {
  const target = { userId, campaignId };
  const [campaign] = await ctx.db.query(findCampaign, [campaignId, userId]);
  if (!campaign) throw campaignNotFound();
  const results: BulkRow[] = [];
  const read: ReadRow[] = [];
  for (let first = 0; first < body.leads.length; first += ROWS_AT_A_TIME) {
    if (first > 0) await setImmediate();
    await readRows(ctx.db, target, {
      rows: body.leads.slice(first, first + ROWS_AT_A_TIME),
      first,
      results,
      read,
    });
  }
  const isDuplicateAllowed = body.allow_dupplicate ?? body.allow_duplicate ?? false;
  if (read.length > 0)
    await ctx.db.transaction((tx) => writeRows(ctx, tx, { ...target, read, results, isDuplicateAllowed }));
  const created = results.filter(({ status }) => status === 'created').length;
  return { created, refused: results.length - created, rows: results };
}

/** Adds a result for each refused row to `results`, and the other rows to `read`. */
async function readRows(
  tx: Tx,
  { userId }: Target,
  {
    rows,
    first,
    results,
    read,
  }: { rows: NewLeads['leads']; first: number; results: BulkRow[]; read: ReadRow[] },
): Promise<void> {
  const parsed = rows.map((row) => bulkLead.safeParse(row));
  const numbers = await readAccountNumbers(
    tx,
    userId,
    parsed.map(({ data }) => data?.phone_number ?? ''),
  );
  for (const [place, { data, error }] of parsed.entries()) {
    const row = first + place;
    const phoneNumber = numbers[place] ?? null;
    if (error) results[row] = refused(row, phoneNumber, fieldErrors(error.issues));
    else if (phoneNumber === null)
      results[row] = refused(row, null, { phone_number: ['Invalid phone number'] });
    else read.push({ row, phoneNumber, variables: variablesOf(data) });
  }
}

function variablesOf({ variables = {} }: BulkLead): string {
  return JSON.stringify(variables);
}

async function writeRows(
  ctx: CoreContext,
  tx: Tx,
  input: Target & { read: readonly ReadRow[]; results: BulkRow[]; isDuplicateAllowed: boolean },
): Promise<void> {
  const { userId, campaignId, read, results, isDuplicateAllowed } = input;
  const leads = isDuplicateAllowed ? read : await withoutTaken(tx, input);
  if (leads.length > 0) {
    const numbers = leads.map(({ phoneNumber }) => phoneNumber);
    const variables = leads.map((lead) => lead.variables);
    const inserted = await tx.query(insertLeads, [userId, campaignId, now(ctx), numbers, variables]);
    for (const [place, { row, phoneNumber }] of leads.entries()) {
      const id = inserted[place]?.id ?? null;
      results[row] = { row, status: 'created', id, phone_number: phoneNumber, errors: {} };
    }
  }
  const [campaign] = await tx.query(lockCampaign, [campaignId, userId]);
  if (!campaign) throw campaignNotFound();
  if (campaign.isRunning) await wakeCampaign(tx, campaignId);
}

/** Refuses numbers that the campaign has already, and those that occur again in the request. */
async function withoutTaken(
  tx: Tx,
  { campaignId, read, results }: { campaignId: number; read: readonly ReadRow[]; results: BulkRow[] },
): Promise<ReadRow[]> {
  await tx.query(lockNumbers, [campaignId]);
  const found = await tx.query(selectTaken, [campaignId, read.map(({ phoneNumber }) => phoneNumber)]);
  const taken = new Set(found.map(({ phoneNumber }) => phoneNumber));
  return read.filter(({ row, phoneNumber }) => {
    const isTaken = taken.has(phoneNumber);
    taken.add(phoneNumber);
    if (isTaken) results[row] = refused(row, phoneNumber, fieldFault('phone_number', wording.taken));
    return !isTaken;
  });
}

function refused(row: number, phoneNumber: string | null, errors: BulkRow['errors']): BulkRow {
  return { row, status: 'refused', id: null, phone_number: phoneNumber, errors };
}
