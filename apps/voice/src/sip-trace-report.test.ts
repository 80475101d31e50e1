import { findSipTrace } from '@parley/core';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeVoice, placeOutboundCall, storedEnd } from '../test/arrange-voice.ts';
import { dialCall } from './outbound-call.ts';

const database = useTestDatabase();
const ADDRESS = { host: '192.0.2.1', port: 5060 };
const INVITE = {
  atMs: 0,
  isSent: true,
  transport: 'udp',
  local: ADDRESS,
  remote: ADDRESS,
  text: 'INVITE sip:1@x SIP/2.0',
  isTruncated: false,
} as const;

async function setup() {
  const about = await arrangeVoice(database.db);
  const { voice, core, endpoint, identity } = about;
  const callId = await placeOutboundCall(about);
  const dialed = endpoint.nextDial();
  dialCall(voice, callId);
  const leg = await dialed;
  endpoint.traces.set(leg.id, { messages: [INVITE], omitted: 1 });
  const found = () => findSipTrace(core, identity, callId);
  return { ...about, callId, leg, found };
}

describe('the SIP trace of a call', () => {
  it('is stored after the call, with the counters of RTP', async () => {
    const { voice, core, callId, leg, found } = await setup();
    leg.answerAtFarEnd();
    leg.media.passFrame();
    leg.hangUpAtFarEnd();
    await voice.background.settled();
    expect(await found()).toMatchObject({
      messages: [{ summary: 'INVITE', direction: 'out' }],
      omitted_messages: 1,
      rtp: { sent: { packets: 1, lost: null } },
    });
    expect((await storedEnd(core, callId))?.isLive).toBe(false);
  });

  it('is stored for a call that was not answered', async () => {
    const { voice, leg, found } = await setup();
    leg.end({ cause: 'busy', sipStatus: 486, detail: 'Busy' });
    await voice.background.settled();
    expect(await found()).toMatchObject({ messages: [{ summary: 'INVITE' }], rtp: null });
  });
});
