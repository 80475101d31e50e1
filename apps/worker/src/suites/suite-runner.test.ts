/** Stored suites are held by workers: to the end, once, and also when a worker is killed meanwhile. */
import {
  cancelSuiteRun,
  claimSuiteConversations,
  compareSuiteRuns,
  createSuite,
  deleteSuiteRun,
  findSuiteConversation,
  findSuiteRun,
  placeSuiteCall,
  removeCall,
  renewSuiteConversations,
  startReplay,
  startSuiteRun,
  storeSuiteConversation,
} from '@parley/core';
import { newSuiteRunBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { systemClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { arrange, finishTestCall } from '../../test/arrange.ts';
import { createSuiteRunner } from './suite-runner.ts';

const database = useTestDatabase();
const LIMITS = newSuiteRunBody.parse({});

interface Message {
  role: string;
  content: string;
}

async function setup(options: Parameters<typeof arrange>[1] = {}) {
  const about = await arrange(database.db, options);
  const { core, identity, assistant, voice, worker } = about;
  // Workers hold the conversations of all runs, also those that another test has left.
  onTestFinished(async () => {
    await core.db.query(statement('', 'delete from suite_runs'));
    await about.close();
  });
  const says = { last: 'We open at nine.' };
  voice.reply = async (body) => {
    const { messages } = body as { messages: Message[] };
    const reply = messages.length === 0 ? 'Good morning.' : says.last;
    return {
      reply,
      is_ended: false,
      tool_calls: [],
      variables: {},
      first_words_ms: 5,
      duration_ms: 10,
      total_cost: 0,
      are_costs_complete: true,
    };
  };
  const store = async (callers: object[], more: object = {}) => {
    const definition = JSON.stringify({ assistant: assistant.id, ...more, callers });
    return (await createSuite(core, identity, { name: 'Suite', definition })).id;
  };
  const start = (suiteId: number, limits = LIMITS) => startSuiteRun(core, identity, { suiteId, limits });
  const startWorker = async () => {
    const runner = createSuiteRunner(worker, 'a secret');
    await runner.start();
    onTestFinished(() => runner.stop());
    return runner;
  };
  const ended = async (id: number) => {
    const isOver = async () => (await findSuiteRun(core, identity, id)).status !== 'running';
    await expect.poll(isOver, { timeout: 55_000 }).toBe(true);
    return findSuiteRun(core, identity, id);
  };
  return { ...about, says, store, start, startWorker, ended };
}

const ASKS = { name: 'asks', script: ['When do you open?'], expect: { said: ['/open at (nine|9)/i'] } };

test(
  'a run holds every conversation once, judges it, and two runs can be compared',
  { timeout: 120_000 },
  async () => {
    const { core, identity, voice, says, store, start, startWorker, ended } = await setup();
    const suiteId = await store([
      { ...ASKS, runs: 3 },
      { name: 'hears', script: ['Hm.'], expect: { not_said: ['nine'] } },
    ]);
    await startWorker();
    const first = await ended((await start(suiteId)).id);
    expect(first).toMatchObject({
      status: 'failed',
      done_count: 4,
      failed_count: 1,
      callers: [
        { name: 'asks', done: 3, passed: 3, is_passed: true, latency_p95: 10 },
        { name: 'hears', is_passed: false, conversations: [{ failures: ['The assistant said "nine".'] }] },
      ],
    });
    // Two replies for each conversation.
    expect(voice.asked.filter(({ path }) => path === '/internal/replies')).toHaveLength(8);
    const [held] = first.callers[0]?.conversations ?? [];
    expect(await findSuiteConversation(core, identity, held?.id ?? 0)).toMatchObject({
      caller: 'asks',
      turns: [
        { speaker: 'assistant', text: 'Good morning.' },
        { speaker: 'caller', text: 'When do you open?' },
        { speaker: 'assistant', text: 'We open at nine.' },
      ],
      ended_by: 'caller',
      replay: null,
    });
    says.last = 'We are closed.';
    const second = await ended((await start(suiteId)).id);
    const compared = await compareSuiteRuns(core, identity, { id: second.id, beforeRunId: first.id });
    expect(compared.callers).toMatchObject([
      { name: 'asks', change: 'worse', before: { passed: 3 }, after: { passed: 0 } },
      { name: 'hears', change: 'better' },
    ]);
  },
);

test('a conversation of a killed worker is begun again, and what the killed one stores late changes nothing', async () => {
  const { core, identity, store, start } = await setup();
  const run = await start(await store([ASKS]));
  const free = { texts: 10, calls: 8 };
  const [lost] = await claimSuiteConversations(core, free);
  if (!lost) throw new Error('Nothing was claimed');
  expect(await claimSuiteConversations(core, free)).toEqual([]);
  const expire = statement('', 'update suite_conversations set lease_until = $1');
  await core.db.query(expire, [new Date(systemClock.now() - 1)]);
  const [again] = await claimSuiteConversations(core, free);
  expect(again).toMatchObject({ id: lost.id, attempt: 2 });
  const held = { conversation: null, failures: ['Late.'], durationMs: 1 };
  expect(await renewSuiteConversations(core, [lost])).toEqual(new Set());
  await storeSuiteConversation(core, lost, held);
  expect(await findSuiteRun(core, identity, run.id)).toMatchObject({ status: 'running', done_count: 0 });
  for (let attempt = 3; attempt <= 4; attempt += 1) {
    await core.db.query(expire, [new Date(systemClock.now() - 1)]);
    await claimSuiteConversations(core, free);
  }
  expect(await findSuiteRun(core, identity, run.id)).toMatchObject({
    status: 'failed',
    callers: [{ conversations: [{ failures: ['The conversation was begun 3 times and did not end.'] }] }],
  });
});

test('a conversation has one call, however often it is begun', async () => {
  const { core, identity, assistant, store, start } = await setup();
  const caller = { name: 'calls', mode: 'voice', phone: 'talks' };
  const run = await start(await store([caller]));
  const [conversation] = await claimSuiteConversations(core, { texts: 1, calls: 1 });
  if (!conversation) throw new Error('Nothing was claimed');
  const call = { conversation, assistantId: assistant.id, phoneNumber: '+12025550100', variables: {} };
  const callId = await placeSuiteCall(core, identity, call);
  expect(await placeSuiteCall(core, identity, call)).toBe(callId);
  await cancelSuiteRun(core, identity, run.id);
  expect(await placeSuiteCall(core, identity, call)).toBeNull();
  const status = statement<{ status: string }>('', 'select status from calls where id = $1');
  expect(await core.db.query(status, [callId])).toEqual([{ status: 'failed' }]);
  expect(await findSuiteRun(core, identity, run.id)).toMatchObject({
    status: 'cancelled',
    callers: [{ conversations: [{ state: 'skipped' }] }],
  });
});

test('a cancelled run ends its conversations, and an overdue run ends by itself', async () => {
  const { core, identity, voice, store, start, startWorker, ended } = await setup();
  const asked = Promise.withResolvers<void>();
  voice.reply = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  const suiteId = await store([ASKS]);
  const runner = await startWorker();
  const { id } = await start(suiteId);
  await asked.promise;
  expect(await cancelSuiteRun(core, identity, id)).toMatchObject({ status: 'cancelled' });
  expect(await cancelSuiteRun(core, identity, id)).toMatchObject({ status: 'cancelled' });
  const late = await start(suiteId);
  const past = statement('', 'update suite_runs set run_until = $2 where id = $1');
  await core.db.query(past, [late.id, new Date(systemClock.now() - 1)]);
  expect(await ended(late.id)).toMatchObject({
    status: 'failed',
    error: 'The time limit of the run was reached.',
    done_count: 0,
  });
  // Its requests were aborted, so that it does not wait for them.
  await runner.stop();
  await deleteSuiteRun(core, identity, id);
  await expect(findSuiteRun(core, identity, id)).rejects.toMatchObject({ kind: 'not-found' });
});

test('an expression that needs endless time fails its conversation, and nothing else waits', async () => {
  const { voice, says, store, start, startWorker, ended } = await setup();
  says.last = 'The quick brown fox jumps over the lazy dog and does not come back.';
  const slow = { name: 'slow', script: ['Hm.'], expect: { said: ['/^(\\w+ ?)+!$/'] } };
  await startWorker();
  const run = await ended((await start(await store([slow, { ...ASKS, expect: {} }]))).id);
  expect(run.callers).toMatchObject([
    { is_passed: false, conversations: [{ failures: [expect.stringContaining('too much time')] }] },
    { is_passed: true },
  ]);
  expect(voice.asked.length).toBeGreaterThan(0);
});

test('the caller of a recorded call is repeated beside the recording, until the call is deleted', async () => {
  const about = await setup();
  const { core, identity, assistant, ended, startWorker } = about;
  const turn = (sender: 'bot' | 'human', text: string) => ({
    sender,
    text,
    startedAtMs: 0,
    startMs: 0,
    endMs: 0,
    isInterrupted: false,
    latencyMs: {},
  });
  const callId = await finishTestCall(about, [turn('human', 'When do you open?'), turn('bot', 'At ten.')]);
  const finish = statement('', `update calls set status = 'completed' where id = $1`);
  await core.db.query(finish, [callId]);
  await startWorker();
  const { id } = await startReplay(core, identity, { callId, assistantId: assistant.id });
  const run = await ended(id);
  expect(run).toMatchObject({ status: 'passed', replayed_call_id: callId, suite_id: null });
  const [held] = run.callers[0]?.conversations ?? [];
  expect((await findSuiteConversation(core, identity, held?.id ?? 0)).replay).toEqual([
    { caller: null, recorded: '', now: 'Good morning.' },
    { caller: 'When do you open?', recorded: 'At ten.', now: 'We open at nine.' },
  ]);
  await removeCall(core, identity, callId);
  await expect(findSuiteRun(core, identity, id)).rejects.toMatchObject({ kind: 'not-found' });
});

test('a suite that cannot be run is refused with line and field', async () => {
  const { core, identity, store, start } = await setup();
  const create = (definition: string) => createSuite(core, identity, { definition });
  await expect(create('callers: []')).rejects.toMatchObject({
    fields: { definition: ['line 1, callers: It must be at least 1 entries long.'] },
  });
  const player = 'assistant: 1\nplayer: { base_url: "http://x/v1", model: m, api_key_env: SECRET_KEY }';
  await expect(create(`${player}\ncallers: [{ name: a, persona: x }]`)).rejects.toMatchObject({
    fields: { definition: [expect.stringContaining('player: A stored suite')] },
  });
  const many = 'assistant: 1\nruns: 100\ncallers: [1, 2, 3, 4, 5, 6]'.replaceAll(
    /\d(?=[,\]])/g,
    (name) => `{ name: "${name}", script: [x] }`,
  );
  await expect(create(many)).rejects.toMatchObject({
    fields: { definition: [expect.stringContaining('more than 500')] },
  });
  const missing = await createSuite(core, identity, {
    definition: 'assistant: Nobody\ncallers: [{ name: a, script: [x] }]',
  });
  await expect(start(missing.id)).rejects.toMatchObject({
    fields: { definition: ['There is no assistant "Nobody".'] },
  });
  const suiteId = await store([ASKS]);
  for (let count = 0; count < 3; count += 1) await start(suiteId);
  await expect(start(suiteId)).rejects.toMatchObject({ kind: 'conflict' });
  const narrow = { ...identity, scopes: ['read', 'write'] as const };
  const calls = await store([{ name: 'calls', mode: 'voice', phone: 'talks' }]);
  await expect(startSuiteRun(core, narrow, { suiteId: calls, limits: LIMITS })).rejects.toMatchObject({
    kind: 'forbidden',
  });
});
