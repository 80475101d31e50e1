/**
 * Erases a person from an account by their phone number: calls with recordings, timelines, SIP traces and webhooks, leads, stored answers
 * to requests, text messages, written conversations, records of consent, rows of import reports, and jobs. While this runs the number is on the do-not-call list, so that no call to it
 * begins. Each record is removed in a transaction of its own; a request that was interrupted is repeated.
 *
 * SQL, because the calls, answers and jobs of an account are searched.
 */
import type { ErasedPerson } from '@parley/contracts';
import { DoNotCall, statement, type DoNotCallRow } from '@parley/db';
import { IS_OF_TODAY } from '../carriers/send-sms.ts';
import { now, type CoreContext } from '../context.ts';
import { queueLeadsOfNumber } from '../dialing/lead-state.ts';
import { removeCall } from '../lifecycle/remove-call.ts';
import { deleteLead } from '../leads/delete-lead.ts';
import { ERASURE_REASON } from '../lookups/erasure-entry.ts';
import { DomainError } from '../shared/domain-error.ts';
import { nationalDigits } from '../shared/phone-number.ts';
import type { Identity } from '../users/identity.ts';
import { requireAccountNumber } from '../users/account-number.ts';

/** The answer while a call with the person is not over. */
export const PERSON_BUSY =
  'A call with this person is in progress or has just ended. Repeat the request when it is over.';
const CALLS_AT_A_TIME = 100;

/** What is erased. */
export interface Erasure {
  /** In any common notation. */
  phoneNumber: string;
  /** Also removes the number from the do-not-call list, so that it can be called again. */
  removesFromDoNotCallList: boolean;
}

interface FoundCall {
  id: number;
  recordings: number;
  deliveries: number;
}

const findCalls = statement<FoundCall>(
  'find_calls_to_erase',
  `select c.id, (select count(*) from recordings r where r.call_id = c.id) as recordings,
     (select count(*) from deliveries d where d.call_id = c.id) as deliveries
   from calls c where c.user_id = $1 and c.client_phone_number = $2 limit ${CALLS_AT_A_TIME}`,
);
const findBusy = statement<{ isBusy: boolean }>(
  'find_unfinished_calls_of_number',
  `select exists (select 1 from live_calls where user_id = $1 and client_phone_number = $2)
     or exists (select 1 from calls where user_id = $1 and client_phone_number = $2
       and status not in ('completed', 'busy', 'no-answer', 'failed')) as is_busy`,
);
/** Calls of other people that this person diverted. A search of the account's calls. */
const forgetDiversions = statement<{ id: number }>(
  'erase_diversions',
  `update calls set diverted_from = null where user_id = $1 and diverted_from = $2 returning id`,
);
/**
 * The SIP traces of other people's calls that name the number, for example as the target of a transfer. They are kept
 * for some days only.
 */
const deleteTraces = statement<{ callId: number }>(
  'erase_sip_traces',
  `delete from sip_traces where user_id = $1 and messages::text like $2 returning call_id`,
);
/** Finds leads through the index of each campaign. The contacts of a lead are removed with it. */
const findLeads = statement<{ id: number }>(
  'find_leads_to_erase',
  `select l.id from campaigns c join leads l on l.campaign_id = c.id and l.phone_number = $2
   where c.user_id = $1 and c.deleted_at is null order by l.parent_id nulls first, l.id`,
);
/** `$2`: a pattern for the digits, which a client may use as a key too. Stored answers are kept for a day only. */
const deleteAnswers = statement<{ tokenId: number }>(
  'erase_stored_answers',
  `delete from idempotency_keys where token_id in (select id from api_tokens where user_id = $1)
     and (body::text like $2 or key like $2) returning token_id`,
);
/** Cells as people write them: only the digits count. */
const deleteImportErrors = statement<{ importId: number }>(
  'erase_import_errors',
  `delete from lead_import_errors e using lead_imports i
   where i.id = e.import_id and i.user_id = $1
     and (regexp_replace(e.value, '\\D', '', 'g') like $2 or regexp_replace(e.value, '\\D', '', 'g') like $3)
   returning e.import_id`,
);
const deleteConsent = statement<{ at: Date }>(
  'erase_consent',
  `delete from consents where user_id = $1 and phone_number = $2 returning consented_at as at`,
);
/**
 * Messages to the person, and to others with the number in their text. Those of today stay without receiver and text, because
 * the limit of a day counts them. A message that was not sent yet is not sent.
 */
const eraseMessages = statement<{ id: number }>(
  'erase_sms_messages',
  `with found as (
     select id, ${IS_OF_TODAY} as is_counted from sms_messages
     where user_id = $1 and (to_number = $2 or body like $3) for update
   ), counted as (
     update sms_messages m set to_number = '', body = '', error = null, carrier_ref = null, status = 'unknown'
     from found where found.id = m.id and is_counted
   ), gone as (
     delete from sms_messages where id in (select id from found where not is_counted)
   )
   select id from found`,
);
/** Conversations of the person, and others in which the number was written. */
const deleteConversations = statement<{ uuid: string }>(
  'erase_written_conversations',
  `delete from written_conversations c where c.user_id = $1
     and (c.customer_phone_number = $2
       or concat_ws(' ', c.customer_identifier, c.variables::text, c.collected::text) like $3
       or exists (select 1 from written_messages m where m.conversation_id = c.id and m.content like $3))
   returning c.uuid`,
);
/** The webhooks of these conversations, and of conversations that were removed before. */
const deleteConversationDeliveries = statement<{ id: string }>(
  'erase_conversation_deliveries',
  `delete from deliveries where user_id = $1 and target = 'conversation'
     and (payload->>'conversation_id' = any($2::text[]) or payload::text like $3)
   returning id`,
);
const deleteAttempts = statement<{ at: Date }>(
  'erase_number_attempts',
  `delete from number_attempts where user_id = $1 and phone_number = $2 returning at`,
);
/** Jobs that have failed for good, of the account's calls and of calls that were deleted. Others end by themselves within minutes. */
const deleteDeadJobs = statement<{ id: number }>(
  'erase_dead_jobs',
  `delete from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null
     and payload::text like $2
     and not exists (select 1 from calls c where c.user_id <> $1 and c.id = (payload->>'callId')::bigint)
   returning id::bigint`,
);

/**
 * @returns how much was removed, without the number
 * @throws DomainError `invalid` for an impossible number; `conflict` while a call with the number is not over
 */
export async function erasePerson(
  ctx: CoreContext,
  identity: Identity,
  { phoneNumber: text, removesFromDoNotCallList }: Erasure,
): Promise<ErasedPerson> {
  const { userId } = identity;
  const phoneNumber = await requireAccountNumber(ctx.db, userId, text);
  await requireNoCall(ctx, userId, phoneNumber);
  const entry = await forbidMeanwhile(ctx, userId, phoneNumber);
  // A call may have begun before the entry.
  await requireNoCall(ctx, userId, phoneNumber);
  const digits = phoneNumber.slice(1);
  const pattern = `%${digits}%`;
  // Before the calls, by which it is known whose they are.
  const jobs = await ctx.db.query(deleteDeadJobs, [userId, pattern]);
  const leads = await eraseLeads(ctx, identity, phoneNumber);
  const calls = await eraseCalls(ctx, identity, phoneNumber);
  const diversions = await ctx.db.query(forgetDiversions, [userId, phoneNumber]);
  const traces = await ctx.db.query(deleteTraces, [userId, pattern]);
  const messages = await ctx.db.query(eraseMessages, [userId, phoneNumber, pattern]);
  const conversations = await ctx.db.query(deleteConversations, [userId, phoneNumber, pattern]);
  const uuids = conversations.map(({ uuid }) => uuid);
  const ended = await ctx.db.query(deleteConversationDeliveries, [userId, uuids, pattern]);
  const attempts = await ctx.db.query(deleteAttempts, [userId, phoneNumber]);
  const consents = await ctx.db.query(deleteConsent, [userId, phoneNumber]);
  const answers = await ctx.db.query(deleteAnswers, [userId, pattern]);
  const national = nationalDigits(phoneNumber);
  const importErrors = await ctx.db.query(deleteImportErrors, [userId, pattern, `%${national}`]);
  const wasListed = entry.reason !== ERASURE_REASON;
  const isKept = await settleEntry(ctx, entry, wasListed && !removesFromDoNotCallList);
  const counts = {
    ...calls,
    webhook_deliveries: calls.webhook_deliveries + ended.length,
    leads,
    conversations: conversations.length,
    attempts: attempts.length,
    consents: consents.length,
    stored_answers: answers.length,
    import_errors: importErrors.length,
    jobs: jobs.length,
  };
  const others = diversions.length + traces.length + messages.length;
  const hadAnything = others > 0 || Object.values(counts).some((count) => count > 0);
  return { accounts: Number(hadAnything), ...counts, is_on_do_not_call_list: isKept };
}

async function requireNoCall(ctx: CoreContext, userId: number, phoneNumber: string): Promise<void> {
  const [found] = await ctx.db.query(findBusy, [userId, phoneNumber]);
  if (found?.isBusy) throw new DomainError('conflict', PERSON_BUSY);
}

/** @returns the entry of the number: its own, or a new one */
async function forbidMeanwhile(ctx: CoreContext, userId: number, phoneNumber: string): Promise<DoNotCallRow> {
  return ctx.db.transaction(async ({ em }) => {
    const entry = { userId, phoneNumber, reason: ERASURE_REASON, createdAt: now(ctx), callId: null };
    return { ...(await em.upsert(DoNotCall, entry, { onConflictAction: 'ignore' })) };
  });
}

/**
 * Removes the entry, or keeps its number only. An entry that has changed since, by a user or by an opt-out on a call, stays
 * as it is.
 *
 * @returns whether the number is on the list
 */
async function settleEntry(
  ctx: CoreContext,
  { userId, phoneNumber, reason, callId }: DoNotCallRow,
  isKept: boolean,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const unchanged = { userId, phoneNumber, reason, callId };
    if (isKept) await tx.em.nativeUpdate(DoNotCall, unchanged, { reason: '', callId: null });
    else await tx.em.nativeDelete(DoNotCall, unchanged);
    const isListed = (await tx.em.count(DoNotCall, { userId, phoneNumber })) > 0;
    if (!isListed) await queueLeadsOfNumber(tx, { userId, phoneNumber, at: now(ctx) });
    return isListed;
  });
}

async function eraseLeads(ctx: CoreContext, identity: Identity, phoneNumber: string): Promise<number> {
  const found = await ctx.db.query(findLeads, [identity.userId, phoneNumber]);
  for (const { id } of found) await unlessGone(deleteLead(ctx, identity, id));
  return found.length;
}

async function eraseCalls(
  ctx: CoreContext,
  identity: Identity,
  phoneNumber: string,
): Promise<Pick<ErasedPerson, 'calls' | 'recordings' | 'webhook_deliveries'>> {
  const erased = { calls: 0, recordings: 0, webhook_deliveries: 0 };
  for (;;) {
    const found = await ctx.db.query(findCalls, [identity.userId, phoneNumber]);
    for (const call of found) {
      await unlessGone(removeCall(ctx, identity, call.id));
      erased.calls += 1;
      erased.recordings += call.recordings;
      erased.webhook_deliveries += call.deliveries;
    }
    if (found.length < CALLS_AT_A_TIME) return erased;
  }
}

/** Another request may remove the same record. */
async function unlessGone(removing: Promise<void>): Promise<void> {
  try {
    await removing;
  } catch (error) {
    if (!(error instanceof DomainError && error.kind === 'not-found')) throw error;
  }
}
