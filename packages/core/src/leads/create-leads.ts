/** Creates many leads of one campaign in one transaction. Each row is accepted or refused separately. */
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
import { json, statement, type Tx } from '@parley/db';
import { campaignNotFound } from '../campaigns/find-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import type { Identity } from '../users/identity.ts';
import { insertLeads, lockTakenNumbers, wakeIfRunning, type LeadToWrite } from './write-leads.ts';

/** Rows that are validated before other requests get their turn: 5 ms. */
const ROWS_AT_A_TIME = 200;

const findCampaign = statement<{ id: number }>(
  'bulk_campaign',
  `select id from campaigns where id = $1 and user_id = $2 and deleted_at is null`,
);

/** A row without faults. */
interface ReadRow extends LeadToWrite {
  row: number;
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
  return json(variables);
}

async function writeRows(
  ctx: CoreContext,
  tx: Tx,
  input: Target & { read: readonly ReadRow[]; results: BulkRow[]; isDuplicateAllowed: boolean },
): Promise<void> {
  const { userId, campaignId, read, results, isDuplicateAllowed } = input;
  const leads = isDuplicateAllowed ? read : await withoutTaken(tx, input);
  const ids = await insertLeads(tx, { userId, campaignId, importId: null, at: now(ctx) }, leads);
  for (const [place, { row, phoneNumber }] of leads.entries()) {
    const id = ids[place] ?? null;
    results[row] = { row, status: 'created', id, phone_number: phoneNumber, errors: {} };
  }
  await wakeIfRunning(tx, campaignId);
}

/** Refuses numbers that the campaign has already, and those that occur again in the request. */
async function withoutTaken(
  tx: Tx,
  { campaignId, read, results }: { campaignId: number; read: readonly ReadRow[]; results: BulkRow[] },
): Promise<ReadRow[]> {
  const numbers = read.map(({ phoneNumber }) => phoneNumber);
  const taken = await lockTakenNumbers(tx, campaignId, numbers);
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
