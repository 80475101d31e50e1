/** A call that came to us and was answered, in the registry of its process. */
import { loadCallForVoice } from '@parley/core';
import { statement } from '@parley/db';
import type { CallLeg } from '@parley/telephony';
import { FakeLeg } from '@parley/telephony/fakes';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { storedProgress } from '../test/arrange-lost-call.ts';
import { arrangeVoice, placeOutboundCall, storedEnd } from '../test/arrange-voice.ts';
import { holdCall } from './hold-call.ts';

const database = useTestDatabase();
const POLL = { timeout: 10_000 };
const giveAway = statement(
  '',
  'update live_calls set voice_process_id = gen_random_uuid() where call_id = $1',
);

async function setup() {
  const about = await arrangeVoice(database.db);
  const { voice, core } = about;
  const callId = await placeOutboundCall(about);
  const call = await loadCallForVoice(core, callId);
  const leg: FakeLeg & Pick<CallLeg, 'allowCodecs'> = new FakeLeg({
    id: call.sipCallId,
    direction: 'inbound',
  });
  const hold = () => holdCall({ voice, call, leg, fence: voice.lease.fence() });
  return { ...about, callId, leg, hold };
}

it('takes the codecs of its trunk before its answer', async () => {
  const { leg, hold } = await setup();
  leg.allowCodecs = () => void leg.requests.push('codecs');
  const held = hold();
  await expect.poll(() => leg.requests, POLL).toEqual(['codecs', 'answer']);
  leg.hangUpAtFarEnd();
  await held;
});

it('can be supervised and transferred, and falls silent when another process goes on with it', async () => {
  const { leg, hold, voice, core, callId } = await setup();
  const held = hold();
  await expect.poll(() => leg.requests, POLL).toContain('answer');
  const call = voice.calls.find(callId);
  expect(call?.supervision?.()?.issueTicket('listen', false)).toHaveProperty('ticket');
  expect(call?.transfer?.('Ann')).toBe('This assistant has no such destination.');
  // It is stored after the answer.
  await expect.poll(() => storedProgress(core, callId), POLL).toBeDefined();
  await core.db.query(giveAway, [callId]);
  call?.abandon?.();
  await held;
  expect(leg.requests).toEqual(['answer', 'abandon']);
  expect(await storedEnd(core, callId)).toMatchObject({ status: 'in-progress', isLive: true });
});
