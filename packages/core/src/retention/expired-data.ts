/**
 * Removes personal data whose retention period is over: recordings, what was said and written, the numbers of calls, text messages, SIP traces, entries of the
 * audit log and the API log, records of consent, and stored answers to requests with an `Idempotency-Key`. Works in batches, so that no lock is held for long. SQL, because it is a sweep.
 */
import { statement, type Statement } from '@parley/db';
import { countOldApiRequests, removeOldApiRequests } from '../audit/remove-old-api-requests.ts';
import { countOldAuditEntries, removeOldAuditEntries } from '../audit/remove-old-entries.ts';
import type { CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { countOldDeliveries, removeOldDeliveries } from '../webhooks/remove-old-deliveries.ts';

/** Days for which each kind of data is kept; 0: without limit. */
export interface RetentionDays {
  recordings: number;
  transcripts: number;
  /** The numbers of finished calls, and whole text messages. */
  callNumbers: number;
  deliveries: number;
  sipTraces: number;
  auditEntries: number;
  /** Entries of the API log. */
  apiRequests: number;
  /** Records of consent, by the time of the consent. */
  consents: number;
}

/** How much of each kind. */
export interface ExpiredCounts extends RetentionDays {
  idempotencyRecords: number;
}

const BATCH = 500;
const DAY_MS = 24 * 3600 * 1000;
/** The API repeats a stored answer for a day. */
export const IDEMPOTENCY_DAYS = 1;

const IS_OVER = `status in ('completed', 'busy', 'no-answer', 'failed')`;
const HAS_WORDS = `(transcript <> '' or turns <> '[]' or tool_calls <> '[]' or evaluation <> '{}')`;
const HAS_NUMBER = `(client_phone_number <> '' or diverted_from is not null or caller_name is not null or caller_identity is not null)`;

const countCalls = statement<{ transcripts: number; callNumbers: number }>(
  'count_expired_calls',
  `select count(*) filter (where created_at < $1 and ${HAS_WORDS}) as transcripts,
     count(*) filter (where created_at < $2 and ${HAS_NUMBER}) as call_numbers
   from calls where created_at < greatest($1::timestamptz, $2::timestamptz) and ${IS_OVER}`,
);
const countRecordings = statement<{ count: number }>(
  'count_expired_recordings',
  `select count(*) as count from recordings where created_at < $1`,
);
const countRecords = statement<{ count: number }>(
  'count_expired_idempotency_records',
  `select count(*) as count from idempotency_keys where created_at < $1`,
);

const countTraces = statement<{ count: number }>(
  'count_expired_sip_traces',
  `select count(*) as count from sip_traces where created_at < $1`,
);

/**
 * SQL of the ids in the next batch of a table that has no index on the time: ids ascend with it, so that the search ends at the
 * first batch with a newer row. Rows that overtook each other are removed by the next run.
 */
function oldestOf(table: string): string {
  return `select id from (
      select id, created_at from ${table} order by id limit ${BATCH} for update skip locked
    ) oldest where created_at < $1`;
}

interface CallsPage {
  /** Null after the last call. */
  lastId: number | null;
  changed: number;
}

/** The next calls, by id. */
const PAGE = `page as (
  select id, created_at from calls where id > $2 and created_at < $1 and ${IS_OVER} order by id limit ${BATCH}
)`;
const OF_PAGE = `from page p where c.id = p.id and c.created_at = p.created_at and c.created_at < $1`;
const RESULT = `select (select max(id) from page) as last_id, (select count(*) from changed) as changed`;

const removeTranscripts = statement<CallsPage>(
  'remove_expired_transcripts',
  `with ${PAGE}, changed as (
     update calls c set transcript = '', turns = '[]', tool_calls = '[]', evaluation = '{}'
     ${OF_PAGE} and ${HAS_WORDS} returning c.id, c.created_at
   ), undisclosed as (
     update call_events e set detail = e.detail - 'text' from changed c
     where e.call_id = c.id and e.call_created_at = c.created_at and e.type in ('disclosed', 'whispered')
   ) ${RESULT}`,
);
const removeNumbers = statement<CallsPage>(
  'remove_expired_numbers',
  `with ${PAGE}, changed as (
     update calls c set client_phone_number = '', diverted_from = null, caller_name = null, caller_identity = null
     ${OF_PAGE} and ${HAS_NUMBER} returning c.id
   ) ${RESULT}`,
);
/** What the callers of these calls said is in the replays too. */
const removeReplays = statement<{ id: number }>(
  'remove_expired_replays',
  `delete from suite_runs where id in (
     select r.id from suite_runs r join calls c on c.id = r.replayed_call_id
     where r.replayed_call_id is not null and c.created_at < $1 limit ${BATCH})
   returning id`,
);
const removeRecordings = statement<{ storageKey: string }>(
  'remove_expired_recordings',
  `delete from recordings where call_id in (select call_id from recordings where created_at < $1 limit ${BATCH})
   returning storage_key`,
);
const removeTraces = statement<{ callId: number }>(
  'remove_expired_sip_traces',
  `delete from sip_traces where call_id in
     (select call_id from sip_traces where created_at < $1 limit ${BATCH} for update skip locked)
   returning call_id`,
);
const countMessages = statement<{ count: number }>(
  'count_expired_sms_messages',
  `select count(*) as count from sms_messages where created_at < $1`,
);
const removeMessages = statement<{ id: number }>(
  'remove_expired_sms_messages',
  `delete from sms_messages where id in (${oldestOf('sms_messages')}) returning id`,
);
/** What was written long ago, also in a conversation that continues. */
const OLD_MESSAGES = `written_messages where created_at < $1`;
/** Conversations that ended without a message since then. */
const OLD_CONVERSATIONS = `written_conversations where ended_at is not null and ended_at < $1`;
/** Customers whose identifier is a phone number, and who have written nothing since then. */
const OLD_CUSTOMERS = `written_conversations where customer_phone_number is not null
  and coalesce(last_message_at, created_at) < $1`;
const countWritten = statement<{ messages: number; conversations: number }>(
  'count_expired_written_conversations',
  `select (select count(*) from ${OLD_MESSAGES}) as messages,
     (select count(*) from ${OLD_CONVERSATIONS}) as conversations`,
);
const countCustomers = statement<{ count: number }>(
  'count_expired_written_customers',
  `select count(*) as count from ${OLD_CUSTOMERS}`,
);
const removeWrittenMessages = statement<{ id: number }>(
  'remove_expired_written_messages',
  `delete from written_messages where id in (${oldestOf('written_messages')}) returning id`,
);
const removeConversations = statement<{ id: number }>(
  'remove_expired_written_conversations',
  `delete from written_conversations where id in
     (select id from ${OLD_CONVERSATIONS} limit ${BATCH} for update skip locked)
   returning id`,
);
const removeCustomers = statement<{ id: number }>(
  'remove_expired_written_customers',
  `update written_conversations set customer_identifier = null, customer_phone_number = null where id in
     (select id from ${OLD_CUSTOMERS} limit ${BATCH} for update skip locked)
   returning id`,
);
const countConsents = statement<{ count: number }>(
  'count_expired_consents',
  `select count(*) as count from consents where consented_at < $1`,
);
const removeConsents = statement<{ userId: number }>(
  'remove_expired_consents',
  `delete from consents where (user_id, phone_number) in
     (select user_id, phone_number from consents where consented_at < $1 limit ${BATCH} for update skip locked)
   returning user_id`,
);
const removeRecords = statement<{ tokenId: number }>(
  'remove_expired_idempotency_records',
  `delete from idempotency_keys where (token_id, key) in
     (select token_id, key from idempotency_keys where created_at < $1 limit ${BATCH} for update skip locked)
   returning token_id`,
);

/** What {@link removeExpiredData} would remove now. */
export async function countExpiredData(ctx: CoreContext, kept: RetentionDays): Promise<ExpiredCounts> {
  const [calls] = await ctx.db.query(countCalls, [
    limitOf(ctx, kept.transcripts),
    limitOf(ctx, kept.callNumbers),
  ]);
  const [recordings] = await ctx.db.query(countRecordings, [limitOf(ctx, kept.recordings)]);
  const [traces] = await ctx.db.query(countTraces, [limitOf(ctx, daysOfTraces(kept))]);
  const [messages] = await ctx.db.query(countMessages, [limitOf(ctx, kept.callNumbers)]);
  const [written] = await ctx.db.query(countWritten, [limitOf(ctx, kept.transcripts)]);
  const [customers] = await ctx.db.query(countCustomers, [limitOf(ctx, kept.callNumbers)]);
  const [consents] = await ctx.db.query(countConsents, [limitOf(ctx, kept.consents)]);
  const [records] = await ctx.db.query(countRecords, [limitOf(ctx, IDEMPOTENCY_DAYS)]);
  return {
    recordings: recordings?.count ?? 0,
    transcripts: (calls?.transcripts ?? 0) + (written?.messages ?? 0) + (written?.conversations ?? 0),
    callNumbers: (calls?.callNumbers ?? 0) + (messages?.count ?? 0) + (customers?.count ?? 0),
    deliveries: await countOldDeliveries(ctx, kept.deliveries),
    sipTraces: traces?.count ?? 0,
    auditEntries: await countOldAuditEntries(ctx, limitOf(ctx, kept.auditEntries)),
    apiRequests: await countOldApiRequests(ctx, limitOf(ctx, kept.apiRequests)),
    consents: consents?.count ?? 0,
    idempotencyRecords: records?.count ?? 0,
  };
}

/**
 * May run twice, and may be interrupted. A kind that cannot be removed keeps no other one.
 *
 * @throws AggregateError after all kinds were tried
 */
export async function removeExpiredData(ctx: CoreContext, kept: RetentionDays): Promise<ExpiredCounts> {
  const faults: unknown[] = [];
  const tried = async (...removals: (() => Promise<number>)[]): Promise<number> => {
    let total = 0;
    for (const remove of removals) {
      total += await remove().catch((error: unknown) => {
        faults.push(error);
        ctx.log.error({ err: error }, 'Expired data of one kind could not be removed');
        return 0;
      });
    }
    return total;
  };
  const old = (remove: Statement<object>, days: number) => async () =>
    removeOld(ctx, remove, limitOf(ctx, days));
  const changed = (change: Statement<CallsPage>, days: number) => async () =>
    changeOldCalls(ctx, change, limitOf(ctx, days));
  const { transcripts, callNumbers } = kept;
  const removed = {
    recordings: await tried(async () => removeOldRecordings(ctx, limitOf(ctx, kept.recordings))),
    transcripts: await tried(
      changed(removeTranscripts, transcripts),
      old(removeReplays, transcripts),
      old(removeWrittenMessages, transcripts),
      old(removeConversations, transcripts),
    ),
    callNumbers: await tried(
      changed(removeNumbers, callNumbers),
      old(removeMessages, callNumbers),
      old(removeCustomers, callNumbers),
    ),
    deliveries: await tried(async () => removeOldDeliveries(ctx, kept.deliveries)),
    sipTraces: await tried(old(removeTraces, daysOfTraces(kept))),
    auditEntries: await tried(async () => removeOldAuditEntries(ctx, limitOf(ctx, kept.auditEntries))),
    apiRequests: await tried(async () => removeOldApiRequests(ctx, limitOf(ctx, kept.apiRequests))),
    consents: await tried(old(removeConsents, kept.consents)),
    idempotencyRecords: await tried(old(removeRecords, IDEMPOTENCY_DAYS)),
  };
  if (faults.length > 0) throw new AggregateError(faults, 'Some expired data could not be removed');
  return removed;
}

/** Data from before this instant is removed; nothing is older than the beginning of 1970. */
function limitOf({ clock }: CoreContext, days: number): Date {
  return new Date(days === 0 ? 0 : clock.now() - days * DAY_MS);
}

async function changeOldCalls(ctx: CoreContext, change: Statement<CallsPage>, before: Date): Promise<number> {
  let total = 0;
  let afterId: number | null = 0;
  while (afterId !== null) {
    const pages: CallsPage[] = await ctx.db.query(change, [before, afterId]);
    total += pages[0]?.changed ?? 0;
    afterId = pages[0]?.lastId ?? null;
  }
  return total;
}

/** Files are removed by jobs, so that a crash leaves no file behind. */
async function removeOldRecordings(ctx: CoreContext, before: Date): Promise<number> {
  for (let total = 0; ;) {
    const count = await ctx.db.transaction(async (tx) => {
      const gone = await tx.query(removeRecordings, [before]);
      for (const { storageKey } of gone) await enqueue(tx, 'remove_recording', { key: storageKey });
      return gone.length;
    });
    total += count;
    if (count < BATCH) return total;
  }
}

/** SIP messages contain the numbers of the call, and are not kept longer. */
export function daysOfTraces({ sipTraces, callNumbers }: RetentionDays): number {
  return callNumbers === 0 ? sipTraces : Math.min(sipTraces, callNumbers);
}

async function removeOld(ctx: CoreContext, remove: Statement<object>, before: Date): Promise<number> {
  for (let total = 0; ;) {
    const { length } = await ctx.db.query(remove, [before]);
    total += length;
    if (length < BATCH) return total;
  }
}
