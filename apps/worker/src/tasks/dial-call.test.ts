import { findCall, requestHangUp } from '@parley/core';
import { useTestDatabase } from '@parley/testkit';
import { afterEach, expect, test } from 'vitest';
import { arrange, placeTestCall, takeJobs, waitingJobs } from '../../test/arrange.ts';
import { dialCall } from './dial-call.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

async function setup() {
  const arrangement = await arrange(database.db);
  undo.push(arrangement.close);
  const callId = await placeTestCall(arrangement);
  await takeJobs(database.db);
  return { ...arrangement, callId };
}

test('a call is handed over to the voice process with free capacity', async () => {
  const { worker, voice, fence, callId } = await setup();
  await dialCall(worker, { callId });
  expect(voice.asked).toMatchObject([
    { method: 'PUT', path: `/internal/calls/${callId}`, body: { process_id: fence.processId } },
  ]);
  expect(await waitingJobs(database.db, 'dial_call', { callId })).toEqual([]);
});

test('a second run hands the call over to the same process', async () => {
  const { worker, voice, callId } = await setup();
  await dialCall(worker, { callId });
  await dialCall(worker, { callId });
  expect(new Set(voice.asked.map((request) => JSON.stringify(request))).size).toBe(1);
});

test.each([
  ['full', 503],
  ['fenced', 409],
])('a process that is %s loses the call, and another try follows soon', async (_, status) => {
  const { worker, voice, callId } = await setup();
  voice.status = status;
  await dialCall(worker, { callId });
  expect(await waitingJobs(database.db, 'dial_call', { callId })).toHaveLength(1);
  voice.status = 202;
  await dialCall(worker, { callId });
  expect(voice.asked).toHaveLength(2);
});

test('a process that does not answer keeps the call while it holds its lease', async () => {
  const { worker, voice, callId } = await setup();
  await voice.close();
  await dialCall(worker, { callId });
  expect(await waitingJobs(database.db, 'dial_call', { callId })).toHaveLength(1);
});

test('a call that has ended is left unchanged', async () => {
  const { worker, core, identity, voice, callId } = await setup();
  await requestHangUp(core, identity, callId);
  await dialCall(worker, { callId });
  expect(voice.asked).toEqual([]);
  expect((await findCall(core, identity, callId)).status).toBe('failed');
});
