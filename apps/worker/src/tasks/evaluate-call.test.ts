import { findCall } from '@parley/core';
import type { StoredTurn } from '@parley/db';
import { createHostedModel, createTestContext, useTestDatabase } from '@parley/testkit';
import { afterEach, expect, test } from 'vitest';
import { arrange, finishTestCall, waitingJobs } from '../../test/arrange.ts';
import { evaluateCall } from './evaluate-call.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const SAID: StoredTurn = {
  sender: 'human',
  startedAtMs: 0,
  startMs: 0,
  endMs: 900,
  text: 'I would like to come.',
  isInterrupted: false,
  latencyMs: {},
};

/** A call that has just ended, by default of an assistant with a hosted model. */
async function setup(options: { isHosted?: boolean; turns?: StoredTurn[]; isEvaluated?: boolean } = {}) {
  const { isHosted = true, turns = [SAID], isEvaluated = true } = options;
  const core = createTestContext(database.db);
  const assistant = {
    ...(isHosted ? { llm_model: await createHostedModel(core) } : {}),
    post_call_evaluation: isEvaluated,
  };
  const arrangement = await arrange(database.db, { assistant });
  undo.push(arrangement.close);
  const callId = await finishTestCall(arrangement, turns);
  const { worker, identity, voice } = arrangement;
  const detail = () => findCall(core, identity, callId);
  const skipped = async () =>
    (await detail()).events.find(({ type }) => type === 'evaluation_skipped')?.detail['reason'];
  return { worker, voice, callId, detail, skipped };
}

test('a voice process is asked to evaluate and settle the call, repeatedly', async () => {
  const { worker, voice, callId, detail } = await setup();
  const before = Date.now();
  await evaluateCall(worker, { callId });
  expect(voice.asked).toMatchObject([{ method: 'POST', path: `/internal/calls/${callId}/evaluation` }]);
  expect((await detail()).status).toBe('ended_by_customer');
  const later = (await waitingJobs(database.db, 'evaluate_call', { callId })).map(({ runAt }) =>
    runAt.getTime(),
  );
  expect(later.filter((runAt) => runAt >= before + 20_000)).toHaveLength(1);
});

test.each([
  ['the model follows a script', { isHosted: false }, 'no_llm'],
  ['neither side said anything', { turns: [] }, 'nothing_said'],
])('the call is settled at once when %s, and the record says why', async (_sentence, options, reason) => {
  const { worker, voice, callId, detail, skipped } = await setup(options);
  await evaluateCall(worker, { callId });
  expect(voice.asked).toEqual([]);
  expect(await detail()).toMatchObject({ status: 'completed', evaluation: { status: null, summary: null } });
  expect(await skipped()).toBe(reason);
});

test('the call is settled immediately when no evaluation is configured', async () => {
  const { worker, voice, callId, detail, skipped } = await setup({ isEvaluated: false });
  await evaluateCall(worker, { callId });
  expect(voice.asked).toEqual([]);
  expect(await detail()).toMatchObject({ status: 'completed', evaluation: {} });
  expect(await skipped()).toBeUndefined();
});

test('the queue retries when the voice process is stopping', async () => {
  const { worker, voice, callId } = await setup();
  voice.status = 503;
  await expect(evaluateCall(worker, { callId })).rejects.toThrow('draining');
});

test('a settled call is left unchanged', async () => {
  const { worker, voice, callId } = await setup({ turns: [] });
  await evaluateCall(worker, { callId });
  await evaluateCall(worker, { callId });
  expect(voice.asked).toEqual([]);
});
