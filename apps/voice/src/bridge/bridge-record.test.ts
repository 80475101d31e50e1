/** Authorisation of the second leg on a trunk with a limit of calls per second. */
import {
  authorizeDial,
  placeCall,
  planDial,
  recordCallEvent,
  registerVoiceProcess,
  type CoreContext,
} from '@parley/core';
import { statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { createTestAssistant, createTestContext, createTestUser, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { BridgeRecord } from './bridge-record.ts';

const database = useTestDatabase();
const CALLER = '+12025550110';
const ANN = '+12025550120';

const setTurn = statement(
  '',
  `update trunks set max_cps = 100, next_invite_at = clock_timestamp() + $1 * interval '1 ms'`,
);
const countLegs = statement<{ legs: number }>(
  '',
  'select count(*) as legs from live_calls where bridged_call_id = $1',
);

/** An answered call on a trunk that may begin its next call after the given number of milliseconds. */
async function setup(turnInMs: number) {
  const core = createTestContext(database.db);
  const { identity } = await createTestUser(core);
  const destinations = [{ name: 'Ann', phone_number: ANN }];
  const assistant = await createTestAssistant(core, identity, {
    tools: [{ type: 'call_transfer', destinations }],
  });
  await core.db.query(statement('', 'update trunks set max_cps = null'));
  const { callId } = await placeCall(core, identity, { phoneNumber: CALLER, assistantId: assistant.id });
  const url = `http://127.0.0.1:${callId}`;
  const fence = await registerVoiceProcess(core, { url, sipAddress: '', capacity: 10 });
  const intend = 'update live_calls set voice_process_id = $2 where call_id = $1';
  await planDial(core, callId);
  await core.db.query(statement('', intend), [callId, fence.processId]);
  await authorizeDial(core, { callId, fence });
  await recordCallEvent(core, { callId, event: 'answered', at: new Date(core.clock.now()), fence });
  const record = new BridgeRecord({ core, callId, fence, report: () => undefined });
  const legs = async () => (await core.db.query(countLegs, [callId]))[0]?.legs;
  await core.db.query(setTurn, [turnInMs]);
  return { record, legs };
}

describe('a trunk with a rate', () => {
  it('is waited for briefly, without occupying a slot', async () => {
    const { record, legs } = await setup(300);
    const verdict = record.authorize(ANN, new AbortController().signal);
    expect(await verdict).toMatchObject({ isAllowed: true });
    expect(await legs()).toBe(1);
  });

  it('is not waited for beyond the limit', async () => {
    const { record, legs } = await setup(60_000);
    const verdict = await record.authorize(ANN, new AbortController().signal);
    expect(verdict).toEqual({ isAllowed: false, reason: 'trunk_rate' });
    expect(await legs()).toBe(0);
  });

  it('is not waited for after the transfer was aborted', async () => {
    const { record, legs } = await setup(4000);
    expect(await record.authorize(ANN, AbortSignal.abort())).toEqual({ isAllowed: false, reason: 'over' });
    expect(await legs()).toBe(0);
  });
});

it('stores only the last of the dialogs that wait, whatever the far end of the second leg does', async () => {
  const waiting: (() => Promise<void>)[] = [];
  let stored = 0;
  const transaction = async () => void (stored += 1);
  const core = { clock: new ManualClock(), db: { transaction } } as unknown as CoreContext;
  const fence = { processId: 'this one' };
  const record = new BridgeRecord({ core, callId: 1, fence, report: (_name, store) => waiting.push(store) });
  const dialog = { callId: 'second' } as never;
  for (let count = 0; count < 500; count += 1) record.dialog(2, dialog);
  for (const store of waiting.splice(0)) await store();
  expect(stored).toBe(1);
  record.dialog(2, dialog);
  record.dialog(3, dialog);
  for (const store of waiting.splice(0)) await store();
  expect(stored).toBe(3);
});
