import { findCall } from '@parley/core';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { afterEach, expect, test } from 'vitest';
import { addVoiceProcess, answerTestCall, arrange } from '../../test/arrange.ts';
import { startFakeVoice } from '../../test/fake-voice.ts';
import { sweepCallsTask } from './sweep-calls.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const endLease = statement(
  '',
  `update voice_processes set lease_until = now() - interval '1 second' where id = $1`,
);

/** A call in conversation whose process has lost its lease, and another process. */
async function setup() {
  const arrangement = await arrange(database.db);
  const callId = await answerTestCall(arrangement);
  await database.db.query(endLease, [arrangement.fence.processId]);
  const other = await startFakeVoice();
  await addVoiceProcess(arrangement.worker, other);
  undo.push(arrangement.close, other.close);
  const status = async (): Promise<string> =>
    (await findCall(arrangement.core, arrangement.identity, callId)).status;
  return { ...arrangement, callId, other, status };
}

test('a call of a dead process is ended', async () => {
  const { worker, voice, status } = await setup();
  await voice.close();
  await sweepCallsTask(worker);
  expect(await status()).toBe('ended');
});

test('another process is asked to go on with the calls of a dead one, before they end', async () => {
  const { worker, voice, other, fence } = await setup();
  await voice.close();
  await sweepCallsTask(worker);
  const { processId: process_id } = fence;
  expect(other.asked).toMatchObject([{ method: 'POST', path: '/internal/take-overs', body: { process_id } }]);
});

test('a process that still answers keeps its calls after its lease expired', async () => {
  const { worker, voice, other, status } = await setup();
  await sweepCallsTask(worker);
  expect(voice.asked).toMatchObject([{ method: 'GET', path: '/livez' }]);
  expect(await status()).toBe('in-progress');
  expect(other.asked).toEqual([]);
});

test('leases are not checked shortly after an outage of the database', async () => {
  const { worker, voice, reachable, status } = await setup();
  await voice.close();
  reachable.forMs = 14_000;
  await sweepCallsTask(worker);
  expect(await status()).toBe('in-progress');
});
