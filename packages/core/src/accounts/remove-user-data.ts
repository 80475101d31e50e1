/**
 * Deletes everything that belongs to a user whose removal an operator requested. SQL in batches, because there may be a million
 * calls and leads. Safe to repeat: a run that was interrupted is completed by the next one.
 */
import { Campaign, User, statement, type Statement } from '@parley/db';
import { removeLeads } from '../campaigns/remove-leads.ts';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { hasUnfinishedCalls } from './remove-user.ts';

/** Rows that one statement deletes. */
const CALLS = 500;
const ROWS = 10_000;
const DOCUMENTS = 20;

const deleteRecordings = statement<{ storageKey: string }>(
  'remove_user_recordings',
  `delete from recordings where call_id in (select call_id from recordings where user_id = $1 limit ${CALLS})
   returning storage_key`,
);
/** Jobs that have failed for good; others end by themselves within minutes. */
const deleteDeadJobs = statement<{ id: number }>(
  'remove_user_dead_jobs',
  `delete from graphile_worker._private_jobs j where attempts >= max_attempts and locked_at is null
     and exists (select 1 from calls c where c.user_id = $1 and c.id = (j.payload->>'callId')::bigint)
   returning id::bigint`,
);

interface Deleted {
  deleted: number;
}

const deleteCalls = statement<Deleted>(
  'remove_user_calls',
  `with page as (select id, created_at from calls where user_id = $1 limit ${CALLS}),
   events as (delete from call_events e using page p where e.call_id = p.id and e.call_created_at = p.created_at),
   sent as (delete from deliveries d using page p where d.call_id = p.id),
   gone as (delete from calls c using page p where c.id = p.id and c.created_at = p.created_at returning 1)
   select count(*) as deleted from gone`,
);
const deleteRows = (table: string, key: string): Statement<Deleted> =>
  statement<Deleted>(
    `remove_user_${table}`,
    `with gone as (delete from ${table} where (${key}) in
       (select ${key} from ${table} where user_id = $1 limit ${ROWS}) returning 1)
     select count(*) as deleted from gone`,
  );
/** Each with up to some thousand passages. */
const deleteDocuments = statement<Deleted>(
  'remove_user_documents',
  `with gone as (delete from documents where id in (select id from documents where user_id = $1 limit ${DOCUMENTS})
     returning 1)
   select count(*) as deleted from gone`,
);
/** Each with a sound of up to some megabytes. */
const deletePhrases = statement<Deleted>(
  'remove_user_recorded_phrases',
  `with gone as (delete from recorded_phrases where id in
     (select id from recorded_phrases where user_id = $1 limit ${DOCUMENTS}) returning 1)
   select count(*) as deleted from gone`,
);
/** Each with up to hundreds of conversations. */
const deleteSuiteRuns = statement<Deleted>(
  'remove_user_suite_runs',
  `with gone as (delete from suite_runs where id in
     (select id from suite_runs where user_id = $1 limit ${DOCUMENTS}) returning 1)
   select count(*) as deleted from gone`,
);
/** Each with up to hundreds of messages. */
const deleteConversations = statement<Deleted>(
  'remove_user_written_conversations',
  `with gone as (delete from written_conversations where id in
     (select id from written_conversations where user_id = $1 limit ${CALLS}) returning 1)
   select count(*) as deleted from gone`,
);
/** Tables that may be large; deliveries of test events belong to no call. The counts of calls come after the calls. */
const BATCHES = [
  deleteCalls,
  deleteRows('sip_traces', 'call_id'),
  deleteRows('call_dispositions', 'call_id'),
  deleteDocuments,
  deletePhrases,
  deleteSuiteRuns,
  deleteConversations,
  deleteRows('sms_messages', 'id'),
  deleteRows('api_requests', 'id'),
  deleteRows('deliveries', 'id'),
  deleteRows('lead_imports', 'id'),
  deleteRows('assistant_versions', 'id'),
  deleteRows('do_not_call', 'user_id, phone_number'),
  deleteRows('consents', 'user_id, phone_number'),
  deleteRows('number_attempts', 'user_id, phone_number, at'),
  deleteRows('widget_calls', 'call_id'),
  deleteRows('call_count_changes', 'id'),
  deleteRows('call_counts', 'user_id, day, status, type, assistant_id, campaign_id'),
  deleteRows('call_day_counts', 'user_id, day'),
];
const SUBJECTS = `select 'user' as scope, $1::bigint as subject_id
  union all select 'token', id from api_tokens where user_id = $1
  union all select 'trunk', id from trunks where user_id = $1`;
const deleteUsage = ['dial_usage', 'dial_costs', 'dial_warnings'].map((table) =>
  statement(`${table}_of_removed_user`, `delete from ${table} where (scope, subject_id) in (${SUBJECTS})`),
);

/** @throws Error while calls are not over, so that the job is repeated */
export async function removeUserData(ctx: CoreContext, userId: number): Promise<void> {
  const user = await ctx.db.em.findOne(User, { id: userId, removalRequestedAt: { $ne: null } });
  if (!user) return;
  if (await hasUnfinishedCalls(ctx.db, userId)) throw new Error('A call of the user is not over');
  await removeCampaigns(ctx, userId);
  await ctx.db.query(deleteDeadJobs, [userId]);
  await removeRecordings(ctx, userId);
  for (const batch of BATCHES) await repeat(ctx, batch, { userId });
  await ctx.db.transaction(async (tx) => {
    for (const usage of deleteUsage) await tx.query(usage, [userId]);
    // What is left are tens of rows, which reference the user and are deleted with the row.
    await tx.em.nativeDelete(User, { id: userId });
  });
  ctx.log.info({ userId }, 'A user was removed');
}

async function removeCampaigns(ctx: CoreContext, userId: number): Promise<void> {
  await ctx.db.transaction((tx) =>
    tx.em.nativeUpdate(Campaign, { userId, deletedAt: null }, { deletedAt: now(ctx) }),
  );
  for (const { id } of await ctx.db.em.find(Campaign, { userId }, { fields: ['id'] }))
    await removeLeads(ctx, id);
}

/** Files are removed by jobs, so that a crash leaves no file behind. */
async function removeRecordings(ctx: CoreContext, userId: number): Promise<void> {
  for (let isMore = true; isMore;) {
    isMore = await ctx.db.transaction(async (tx) => {
      const gone = await tx.query(deleteRecordings, [userId]);
      for (const { storageKey } of gone) await enqueue(tx, 'remove_recording', { key: storageKey });
      return gone.length > 0;
    });
  }
}

async function repeat(
  ctx: CoreContext,
  batch: Statement<Deleted>,
  { userId }: { userId: number },
): Promise<void> {
  for (let isMore = true; isMore;) {
    const [counted] = await ctx.db.query(batch, [userId]);
    isMore = (counted?.deleted ?? 0) > 0;
  }
}
