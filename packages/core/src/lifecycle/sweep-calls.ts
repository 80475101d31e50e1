/**
 * Recovery: ends the calls of lost voice processes with the reason `process_lost`, and repeats dials and completions that
 * were lost. It may run in several workers at once: each call is checked again under its lock.
 */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { refillForgottenCampaigns } from '../dialing/refill-campaign.ts';
import { enqueueDial } from '../jobs/enqueue-dial.ts';
import { forgetOldDialCosts } from '../capacity/dial-usage.ts';
import { removeOldNumberAttempts } from '../lookups/number-attempts.ts';
import { forgetOldOutcomes } from '../capacity/note-trunk-outcome.ts';
import { closeLostCall } from './close-lost-call.ts';
import { completeCall } from './complete-call.ts';
import { recordCallEvent } from './record-call-event.ts';
import { removeOldWidgetCalls } from './widget-calls.ts';

/** A voice process whose lease has run out. */
export interface SilentProcess {
  id: string;
  url: string;
}

/** Leases are checked only after the database was reachable for this long, so that its outage ends no call. */
export const SWEEP_REACHABLE_MS = 15_000;
/** A call is completed without its evaluation this long after hang-up. */
const EVALUATION_LIMIT_MS = 60_000;
/** A dial without an INVITE is enqueued again after this time, because its job may have been lost. */
const FORGOTTEN_DIAL_MS = 30_000;
/** Calls of each kind in one sweep; the next sweep takes the rest. */
const BATCH = 200;

const selectSilent = statement<SilentProcess>(
  'silent_voice_processes',
  `select id, url from voice_processes where lease_until < now() order by lease_until`,
);
/** Only if the lease is still expired: the process may have renewed it in the meantime. */
const fenceProcess = statement(
  'fence_voice_process',
  `delete from voice_processes where id = $1 and lease_until < now()`,
);
const selectOrphans = statement<{ callId: number }>(
  'orphaned_calls',
  `select call_id from live_calls l
   where voice_process_id is not null and not exists (
     select 1 from voice_processes p where p.id = l.voice_process_id)
   order by call_id limit ${BATCH}`,
);
const selectUnused = statement<{ callId: number }>(
  'unused_web_calls',
  `select call_id from live_calls where ticket_expires_at < $1 order by call_id limit ${BATCH}`,
);
const selectUnsettled = statement<{ id: number }>(
  'unsettled_calls',
  `select id from calls
   where status in ('ended', 'ended_by_customer', 'ended_by_assistant') and ended_at < $1
   order by ended_at limit ${BATCH}`,
);
const selectForgotten = statement<{ callId: number }>(
  'forgotten_dials',
  `select call_id from live_calls
   where type = 'outbound' and invite_sent_at is null and coalesce(intent_at, created_at) < $1
   order by call_id limit ${BATCH}`,
);

/** Processes to be asked, before a sweep, whether they still answer (`GET {url}/livez`). */
export async function findSilentProcesses(ctx: CoreContext): Promise<SilentProcess[]> {
  return ctx.db.query(selectSilent);
}

/**
 * @param input - how long the database has answered the caller without a break, and which silent processes did not
 *   answer; those are fenced, their calls end, and the job `end_dialog` sends BYE to the far ends
 */
export async function sweepCalls(
  ctx: CoreContext,
  input: { hasBeenReachableForMs: number; unreachable: readonly SilentProcess[] },
): Promise<void> {
  if (input.hasBeenReachableForMs >= SWEEP_REACHABLE_MS) await sweepLostProcesses(ctx, input.unreachable);
  await endUnusedWebCalls(ctx);
  await completeForgottenCalls(ctx);
  await redialForgottenCalls(ctx);
  await refillForgottenCampaigns(ctx);
  await forgetOldOutcomes(ctx);
  await forgetOldDialCosts(ctx);
  await removeOldNumberAttempts(ctx.db, now(ctx));
  await removeOldWidgetCalls(ctx);
}

async function sweepLostProcesses(ctx: CoreContext, unreachable: readonly SilentProcess[]): Promise<void> {
  for (const process of unreachable) await ctx.db.query(fenceProcess, [process.id]);
  for (const { callId } of await ctx.db.query(selectOrphans)) await closeLostCall(ctx, callId);
}

/** Ends web calls whose browser has not connected in time. */
async function endUnusedWebCalls(ctx: CoreContext): Promise<void> {
  const at = now(ctx);
  for (const { callId } of await ctx.db.query(selectUnused, [at])) {
    await recordCallEvent(ctx, { callId, event: 'failed', at, detail: { reason: 'not_connected' } });
  }
}

async function completeForgottenCalls(ctx: CoreContext): Promise<void> {
  const before = new Date(ctx.clock.now() - EVALUATION_LIMIT_MS);
  for (const { id } of await ctx.db.query(selectUnsettled, [before])) {
    await completeCall(ctx, id, { unevaluatedBecause: 'timed_out' });
  }
}

/** Enqueueing twice is harmless: the job has a key, and reads the intent first. */
async function redialForgottenCalls(ctx: CoreContext): Promise<void> {
  const before = new Date(ctx.clock.now() - FORGOTTEN_DIAL_MS);
  for (const { callId } of await ctx.db.query(selectForgotten, [before])) {
    await ctx.db.transaction((tx) => enqueueDial(tx, callId));
  }
}
