import { requestHangUp } from '@parley/core';
import { useTestDatabase } from '@parley/testkit';
import { afterEach, expect, test } from 'vitest';
import { answerTestCall, arrange, finishTestCall } from '../../test/arrange.ts';
import { hangUpCall } from './hang-up-call.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

async function setup() {
  const arrangement = await arrange(database.db);
  undo.push(arrangement.close);
  return arrangement;
}

test('the process of the call is asked to end it', async () => {
  const arrangement = await setup();
  const callId = await answerTestCall(arrangement);
  await requestHangUp(arrangement.core, arrangement.identity, callId);
  await hangUpCall(arrangement.worker, { callId });
  expect(arrangement.voice.asked).toMatchObject([
    { method: 'POST', path: `/internal/calls/${callId}/hang-up` },
  ]);
});

test.each([404, 202])(
  'a call that has ended meanwhile needs nothing (voice would say %i)',
  async (status) => {
    const arrangement = await setup();
    const callId = await finishTestCall(arrangement);
    arrangement.voice.status = status;
    await hangUpCall(arrangement.worker, { callId });
    expect(arrangement.voice.asked).toEqual([]);
  },
);

test('the queue retries when the process does not accept the request', async () => {
  const arrangement = await setup();
  const callId = await answerTestCall(arrangement);
  await requestHangUp(arrangement.core, arrangement.identity, callId);
  arrangement.voice.status = 404;
  await expect(hangUpCall(arrangement.worker, { callId })).rejects.toThrow('unknown-call');
  await arrangement.voice.close();
  await expect(hangUpCall(arrangement.worker, { callId })).rejects.toThrow('unreachable');
});
