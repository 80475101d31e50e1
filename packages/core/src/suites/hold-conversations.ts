/**
 * What workers do with the conversations of runs: claim them, keep them, place their calls and store what came of them. A
 * conversation belongs to the worker that holds its lease. When the worker stops, the lease ends and another worker begins it
 * again; its call, if there is one, is not placed again. SQL, because workers claim beside each other.
 */
import { json, statement, type SuiteRunRow, type Tx, type UserRow } from '@parley/db';
import { MAX_CALLS, percentile95, type HeldConversation } from '@parley/suites';
import { now, type CoreContext } from '../context.ts';
import { placeCall, type PlaceCallInput } from '../lifecycle/place-call.ts';
import type { Identity } from '../users/identity.ts';
import { callerResult, type ConversationFacts } from './suite-record.ts';
import { endRun, lockSuiteRun, type LockedRun } from './run-state.ts';
import { hangUpSuiteCalls } from './suite-runs.ts';

/** A worker renews its leases several times in this time. */
const LEASE_MS = 30_000;
/** A conversation that was begun so often, and never stored, ends workers or takes them too long. */
const MAX_ATTEMPTS = 3;
/** What is stored of one conversation, characters of JSON. */
const MAX_RESULT = 256 * 1024;
const MAX_FAILURES = 20;
const MAX_FAILURE = 1000;

/** A conversation that a worker holds. */
export interface ClaimedConversation {
  id: number;
  runId: number;
  userId: number;
  position: number;
  mode: 'text' | 'voice';
  attempt: number;
}

const selectRunning = statement<{ id: number; parallel: number; isOverdue: boolean }>(
  'running_suite_runs',
  `select id, parallel, run_until <= $1 as is_overdue from suite_runs where status = 'running'
   order by id for update skip locked`,
);
const claim = statement<ClaimedConversation>(
  'claim_suite_conversations',
  `with busy as (
     select count(*) filter (where c.mode = 'text') as texts, count(*) filter (where c.mode = 'voice') as calls
     from suite_conversations c where c.run_id = $1 and c.state = 'running' and c.lease_until > $2
   ), waiting as (
     select c.id, c.mode, row_number() over (partition by c.mode order by c.position, c.number) as place
     from suite_conversations c
     where c.run_id = $1 and (c.state = 'waiting' or (c.state = 'running' and c.lease_until <= $2))
   ), chosen as (
     select w.id from waiting w, busy b
     where (w.mode = 'text' and w.place <= least($4 - b.texts, $5))
       or (w.mode = 'voice' and b.texts = 0 and not exists (select 1 from waiting o where o.mode = 'text')
           and w.place <= least($4 - b.calls, ${MAX_CALLS} - b.calls, $6))
   )
   update suite_conversations c set state = 'running', lease_until = $3, attempt = c.attempt + 1
   from chosen, suite_runs r where c.id = chosen.id and r.id = c.run_id
   returning c.id, c.run_id, r.user_id, c.position, c.mode, c.attempt`,
);
const renew = statement<{ id: number }>(
  'renew_suite_conversations',
  `update suite_conversations c set lease_until = $3 from unnest($1::bigint[], $2::int[]) as o (id, attempt)
   where c.id = o.id and c.attempt = o.attempt and c.state = 'running' returning c.id`,
);
const selectRun = statement<
  Pick<SuiteRunRow, 'definition' | 'assistants' | 'userId'> & Pick<UserRow, 'role' | 'timezone'>
>(
  'suite_run_to_hold',
  `select r.definition, r.assistants, r.user_id, u.role, u.timezone
   from suite_runs r join users u on u.id = r.user_id where r.id = $1 and u.disabled_at is null`,
);
const selectOwner = statement<Pick<UserRow, 'role' | 'timezone'>>(
  'owner_of_suite_run',
  'select role, timezone from users where id = $1',
);
const lockConversation = statement<{ callId: number | null }>(
  'lock_suite_conversation',
  `select call_id from suite_conversations where id = $1 and attempt = $2 and state = 'running' for update`,
);
const setCall = statement('set_suite_call', 'update suite_conversations set call_id = $2 where id = $1');
const store = statement<{ id: number }>(
  'store_suite_conversation',
  `update suite_conversations set state = 'done', lease_until = null, failures = $3, turns = $4, latency_p95 = $5,
     duration_ms = $6, cost = $7, result = $8
   where id = $1 and attempt = $2 and state = 'running' returning id`,
);
const selectConversations = statement<ConversationFacts>(
  'conversations_of_ending_suite_run',
  `select id, position, number, mode, state, call_id, failures, turns, latency_p95, duration_ms, cost
   from suite_conversations where run_id = $1`,
);

/**
 * Conversations that this worker may hold now. Runs whose time is over are ended first.
 *
 * @param free - how many the worker can hold besides those that it holds
 */
export async function claimSuiteConversations(
  ctx: CoreContext,
  free: { texts: number; calls: number },
): Promise<ClaimedConversation[]> {
  const at = now(ctx);
  const claimed: ClaimedConversation[] = [];
  const overdue: number[] = [];
  await ctx.db.transaction(async (tx) => {
    for (const { id, parallel, isOverdue } of await tx.query(selectRunning, [at])) {
      if (isOverdue) overdue.push(id);
      const texts = free.texts - claimed.filter(({ mode }) => mode === 'text').length;
      const calls = free.calls - claimed.filter(({ mode }) => mode === 'voice').length;
      if (isOverdue || (texts <= 0 && calls <= 0)) continue;
      claimed.push(...(await tx.query(claim, [id, at, leaseFrom(at), parallel, texts, calls])));
    }
  });
  for (const runId of overdue) await endEarly(ctx, runId, 'The time limit of the run was reached.');
  return giveUpRepeated(ctx, claimed);
}

function leaseFrom(at: Date): Date {
  return new Date(at.getTime() + LEASE_MS);
}

async function giveUpRepeated(
  ctx: CoreContext,
  claimed: readonly ClaimedConversation[],
): Promise<ClaimedConversation[]> {
  const failure = `The conversation was begun ${MAX_ATTEMPTS} times and did not end.`;
  for (const one of claimed)
    if (one.attempt > MAX_ATTEMPTS)
      await storeSuiteConversation(ctx, one, { conversation: null, failures: [failure], durationMs: 0 });
  return claimed.filter(({ attempt }) => attempt <= MAX_ATTEMPTS);
}

/** @returns the ids of those that the worker still holds; the others were cancelled, or belong to another worker */
export async function renewSuiteConversations(
  ctx: CoreContext,
  held: readonly ClaimedConversation[],
): Promise<Set<number>> {
  const rows = await ctx.db.query(renew, [
    held.map(({ id }) => id),
    held.map(({ attempt }) => attempt),
    leaseFrom(now(ctx)),
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** What a run consists of. */
export interface SuiteRunToHold extends Pick<SuiteRunRow, 'definition' | 'assistants'> {
  /** The owner, as who the conversations are held. */
  identity: Identity;
}

/** @returns null for a run that was deleted, or whose owner is disabled */
export async function findSuiteRunToHold(ctx: CoreContext, runId: number): Promise<SuiteRunToHold | null> {
  const [run] = await ctx.db.query(selectRun, [runId]);
  if (!run) return null;
  const { definition, assistants, ...owner } = run;
  return { definition, assistants, identity: { ...owner, scopes: 'all', tokenId: null } };
}

/**
 * Places the call of a conversation, once: a worker that begins the conversation again gets the same call. Only test phones are
 * called.
 *
 * @returns null when another worker holds the conversation, or the run is over
 * @throws DomainError as {@link placeCall}
 */
export async function placeSuiteCall(
  ctx: CoreContext,
  identity: Identity,
  { conversation, ...input }: PlaceCallInput & { conversation: ClaimedConversation },
): Promise<number | null> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.query(lockConversation, [conversation.id, conversation.attempt]);
    if (!row) return null;
    if (row.callId !== null) return row.callId;
    const joined = {
      ...ctx,
      db: { ...ctx.db, query: tx.query.bind(tx), transaction: tx.join.bind(tx), em: tx.em },
    };
    const { callId } = await placeCall(joined, identity, { ...input, isTest: true });
    await tx.query(setCall, [conversation.id, callId]);
    return callId;
  });
}

/** Stores a conversation, and ends the run with the last one. A repetition, or a conversation of another worker, changes nothing. */
export async function storeSuiteConversation(
  ctx: CoreContext,
  { id, runId, attempt }: ClaimedConversation,
  held: HeldConversation,
): Promise<void> {
  const { conversation, failures, durationMs } = held;
  const cost = conversation?.cost ?? null;
  const p95 = percentile95(conversation?.latencies ?? []);
  const ended = await ctx.db.transaction(async (tx) => {
    const run = await lockSuiteRun(tx, runId);
    if (run?.status !== 'running') return null;
    const stored = await tx.query(store, [
      id,
      attempt,
      json(failures.slice(0, MAX_FAILURES).map((failure) => failure.slice(0, MAX_FAILURE))),
      conversation && conversation.turns.filter(({ speaker }) => speaker === 'caller').length,
      p95 === null ? null : Math.round(p95),
      Math.round(durationMs),
      cost,
      resultOf(conversation),
    ]);
    if (stored.length === 0) return null;
    return { userId: run.userId, calls: await settle(ctx, tx, run) };
  });
  if (ended) await hangUp(ctx, ended);
}

/** @returns the calls that are to be hung up */
async function settle(ctx: CoreContext, tx: Tx, run: LockedRun): Promise<number[]> {
  const rows = await tx.query(selectConversations, [run.id]);
  const spent = rows.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  const isOpen = rows.some(({ state }) => state === 'waiting' || state === 'running');
  const at = now(ctx);
  if (isOpen && run.maxCost !== null && spent >= run.maxCost)
    return endRun(tx, run, { status: 'failed', error: 'The cost limit of the run was reached.', at });
  if (isOpen) return [];
  const isPassed = run.callers.every(
    (caller, position) =>
      callerResult(
        caller,
        rows.filter((row) => row.position === position),
      ).is_passed,
  );
  return endRun(tx, run, { status: isPassed ? 'passed' : 'failed', error: null, at });
}

/** JSON; texts are cut where a conversation is too long to be stored. */
function resultOf(conversation: HeldConversation['conversation']): string | null {
  if (conversation === null) return null;
  const whole = json(conversation);
  if (whole.length <= MAX_RESULT) return whole;
  const cut = (text: string): string => text.slice(0, 500);
  return json({
    ...conversation,
    turns: conversation.turns.slice(0, 100).map((turn) => ({ ...turn, text: cut(turn.text) })),
    tools: conversation.tools
      .slice(0, 50)
      .map((tool) => ({ ...tool, arguments: {}, result: cut(tool.result) })),
    variables: {},
  });
}

async function endEarly(ctx: CoreContext, runId: number, error: string): Promise<void> {
  const ended = await ctx.db.transaction(async (tx) => {
    const run = await lockSuiteRun(tx, runId);
    if (!run) return null;
    return { userId: run.userId, calls: await endRun(tx, run, { status: 'failed', error, at: now(ctx) }) };
  });
  if (ended) await hangUp(ctx, ended);
}

async function hangUp(
  ctx: CoreContext,
  { userId, calls }: { userId: number; calls: readonly number[] },
): Promise<void> {
  const [owner] = calls.length === 0 ? [] : await ctx.db.query(selectOwner, [userId]);
  if (owner) await hangUpSuiteCalls(ctx, { ...owner, userId, scopes: 'all', tokenId: null }, calls);
}
