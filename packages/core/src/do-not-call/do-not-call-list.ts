/**
 * The do-not-call list of a user: numbers that none of their calls may go to. It is asked when a call is placed, when a
 * campaign claims a lead, and once more before the INVITE, so that a new entry counts at once for everything that has
 * not left.
 */
import { errorText } from '@parley/contracts';
import { statement, type DoNotCallRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { DomainError } from '../shared/domain-error.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';
import type { Identity } from '../users/identity.ts';

/** One entry, newest first in lists. */
export type DoNotCallEntry = Omit<DoNotCallRow, 'userId'>;

const ENTRY = 'phone_number, reason, created_at';

const selectDefaultCountry = statement<{ defaultCountry: string | null }>(
  'do_not_call_country',
  `select default_country from users where id = $1`,
);
const insertEntry = statement<DoNotCallEntry>(
  'insert_do_not_call',
  `insert into do_not_call (user_id, phone_number, reason, created_at) values ($1, $2, $3, $4)
   on conflict (user_id, phone_number) do update set reason = excluded.reason returning ${ENTRY}`,
);
const deleteEntry = statement<{ phoneNumber: string }>(
  'delete_do_not_call',
  `delete from do_not_call where user_id = $1 and phone_number = $2 returning phone_number`,
);
const selectEntries = statement<DoNotCallEntry>(
  'list_do_not_call',
  `select ${ENTRY} from do_not_call where user_id = $1 and ($2::text is null or strpos(phone_number, $2) > 0)
   order by created_at desc, phone_number limit $3 offset $4`,
);
const countEntries = statement<{ total: number }>(
  'count_do_not_call',
  `select count(*) as total from do_not_call
   where user_id = $1 and ($2::text is null or strpos(phone_number, $2) > 0)`,
);
const isListed = statement<{ phoneNumber: string }>(
  'is_on_do_not_call_list',
  `select phone_number from do_not_call where user_id = $1 and phone_number = $2`,
);
/** Leads that were passed over because of a number: the lead itself, or the one whose contact it is. */
const unblockLeads = statement<{ id: number; campaignId: number; attempts: number }>(
  'unblock_leads',
  `update leads set dial_state = 'waiting', dial_reason = null
   where dial_state = 'blocked' and dial_reason = 'do_not_call' and id in (
     select coalesce(parent_id, id) from leads where user_id = $1 and phone_number = $2)
   returning id, campaign_id, attempts`,
);
const queueAgain = statement(
  'queue_unblocked_lead',
  `insert into dial_queue (campaign_id, ready_at, lead_id, attempt) values ($1, $2, $3, $4)
   on conflict (lead_id) do nothing`,
);

/**
 * Adds a number, as people write it. One that is on the list already gets the new reason.
 *
 * @throws DomainError `invalid` for an impossible number
 */
export async function addToDoNotCallList(
  ctx: CoreContext,
  identity: Identity,
  input: { phoneNumber: string; reason?: string | undefined },
): Promise<DoNotCallEntry> {
  const phoneNumber = await readNumber(ctx.db, identity.userId, input.phoneNumber);
  const values = [identity.userId, phoneNumber, input.reason ?? '', now(ctx)];
  const [entry] = await ctx.db.query(insertEntry, values);
  if (!entry) throw new Error('An entry of the do-not-call list could not be written');
  return entry;
}

/**
 * Takes a number off the list. Leads that were not called because of it wait to be called again.
 *
 * @throws DomainError `not-found` when it is not on the list; `invalid` for an impossible number
 */
export async function removeFromDoNotCallList(
  ctx: CoreContext,
  identity: Identity,
  input: { phoneNumber: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const phoneNumber = await readNumber(tx, identity.userId, input.phoneNumber);
    const [deleted] = await tx.query(deleteEntry, [identity.userId, phoneNumber]);
    if (!deleted) throw new DomainError('not-found', 'Number not found on the do-not-call list');
    const leads = await tx.query(unblockLeads, [identity.userId, phoneNumber]);
    for (const lead of leads) {
      await tx.query(queueAgain, [lead.campaignId, now(ctx), lead.id, lead.attempts + 1]);
    }
    for (const campaignId of new Set(leads.map((lead) => lead.campaignId)))
      await wakeCampaign(tx, campaignId);
  });
}

/** A page of the list, newest first. `phoneNumber` is a part of the number. */
export async function listDoNotCall(
  ctx: CoreContext,
  identity: Identity,
  query: { page: number; perPage: number; phoneNumber?: string | undefined },
): Promise<{ rows: DoNotCallEntry[]; total: number }> {
  const filter = [identity.userId, query.phoneNumber ?? null];
  const [counted] = await ctx.db.query(countEntries, filter);
  const offset = (query.page - 1) * query.perPage;
  const rows = await ctx.db.query(selectEntries, [...filter, query.perPage, offset]);
  return { rows, total: counted?.total ?? 0 };
}

/** @param phoneNumber - E.164 */
export async function isOnDoNotCallList(tx: Tx, userId: number, phoneNumber: string): Promise<boolean> {
  const found = await tx.query(isListed, [userId, phoneNumber]);
  return found.length > 0;
}

async function readNumber(tx: Tx, userId: number, text: string): Promise<string> {
  const [user] = await tx.query(selectDefaultCountry, [userId]);
  const number = normalisePhoneNumber(text, user?.defaultCountry ?? null);
  if (number !== null) return number;
  const fields = { phone_number: ['Invalid phone number'] };
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
