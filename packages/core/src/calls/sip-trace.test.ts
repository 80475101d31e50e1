import type { StoredMediaStats, StoredSipMessage } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, endOf, makeAnsweredCall, makeUser } from '../../test/arrange.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { removeCall } from '../lifecycle/remove-call.ts';
import { findSipCapture, findSipTrace, storeSipTrace } from './sip-trace.ts';

const database = useTestDatabase();

const INVITE = 'INVITE sip:+12025550100@carrier.example SIP/2.0\r\nCSeq: 1 INVITE\r\n\r\n';
const OK = 'SIP/2.0 200 OK\r\nCSeq: 1 INVITE\r\n\r\n';
const addresses = { local: { host: '192.0.2.1', port: 5060 }, remote: { host: '2001:db8::7', port: 5062 } };
const MESSAGES: StoredSipMessage[] = [
  { ...addresses, atMs: 1_790_000_000_125, isSent: true, transport: 'udp', text: INVITE, isTruncated: false },
  { ...addresses, atMs: 1_790_000_000_225, isSent: false, transport: 'udp', text: OK, isTruncated: true },
];
const MEDIA: StoredMediaStats = {
  packetsSent: 500,
  packetsReceived: 480,
  packetsLost: 3,
  jitterMs: 1.234,
  concealedFrames: 4,
  codec: 'G722',
  far: { packetsLost: 2, jitterMs: 5.55, roundTripMs: 40.04 },
};

async function setup({
  isSharedTrunk = false,
  media = MEDIA,
  messages = MESSAGES,
}: { isSharedTrunk?: boolean; media?: StoredMediaStats | null; messages?: StoredSipMessage[] } = {}) {
  const about = await arrange(database.db);
  const callId = await makeAnsweredCall(about);
  await finishCall(about.ctx, endOf(about, callId));
  await completeCall(about.ctx, callId);
  const trace = { callId, trunkId: null, isSharedTrunk, messages, omitted: 2, media };
  await storeSipTrace(about.ctx, trace);
  return { ...about, callId, trace };
}

describe('the SIP trace of a call', () => {
  it.each([
    ['tls', 'RTP/SAVP', MEDIA, { is_signalling_encrypted: true, is_audio_encrypted: true }],
    ['tls', 'RTP/AVP', MEDIA, { is_signalling_encrypted: true, is_audio_encrypted: false }],
    ['tcp', 'RTP/AVP', null, { is_signalling_encrypted: false, is_audio_encrypted: null }],
  ] as const)('says what was encrypted: over %s with %s', async (transport, profile, media, encryption) => {
    const text = `${INVITE}v=0\r\nm=audio 4000 ${profile} 0\r\n`;
    const messages = MESSAGES.map((message) => ({ ...message, transport, text }));
    const { ctx, identity, callId } = await setup({ media, messages });
    expect(await findSipTrace(ctx, identity, callId)).toMatchObject({ encryption });
  });

  it('is read as it was stored, and storing it twice changes nothing', async () => {
    const { ctx, identity, callId, trace } = await setup();
    await storeSipTrace(ctx, { ...trace, messages: [] });
    expect(await findSipTrace(ctx, identity, callId)).toEqual({
      call_id: callId,
      messages: [
        {
          at: '2026-09-21T14:13:20.125000Z',
          direction: 'out',
          transport: 'udp',
          local: '192.0.2.1:5060',
          remote: '[2001:db8::7]:5062',
          summary: 'INVITE',
          text: INVITE,
          is_truncated: false,
        },
        expect.objectContaining({
          direction: 'in',
          summary: '200 OK (INVITE)',
          text: OK,
          is_truncated: true,
        }),
      ],
      omitted_messages: 2,
      is_withheld: false,
      encryption: { is_signalling_encrypted: false, is_audio_encrypted: false },
      rtp: {
        codec: 'G722',
        sent: { packets: 500, lost: 2, jitter_ms: 5.6 },
        received: { packets: 480, lost: 3, jitter_ms: 1.2, concealed_frames: 4 },
        round_trip_ms: 40,
      },
    });
    expect(Buffer.from(await findSipCapture(ctx, identity, callId)).includes(INVITE)).toBe(true);
  });

  it('is empty for a call without one, and has no statistics for a call that was not answered', async () => {
    const { ctx, identity, callId } = await setup({ media: null });
    expect((await findSipTrace(ctx, identity, callId)).rtp).toBeNull();
    const about = await arrange(database.db);
    const other = await makeAnsweredCall(about);
    const found = await findSipTrace(about.ctx, about.identity, other);
    expect(found).toMatchObject({ messages: [], is_withheld: false, rtp: null });
    expect(await findSipCapture(about.ctx, about.identity, other)).toHaveLength(24);
  });

  it('does not show members the messages of a trunk of the operators', async () => {
    const { ctx, identity, callId } = await setup({ isSharedTrunk: true });
    const member = { ...identity, role: 'member' } as const;
    const found = await findSipTrace(ctx, member, callId);
    expect(found).toMatchObject({ messages: [], is_withheld: true, rtp: { round_trip_ms: 40 } });
    expect(await findSipCapture(ctx, member, callId)).toHaveLength(24);
    const operator = { ...identity, role: 'operator' } as const;
    expect((await findSipTrace(ctx, operator, callId)).messages).toHaveLength(2);
  });

  it('is not found by another user, and does not outlive its call', async () => {
    const { ctx, identity, callId, trace } = await setup();
    const other = await makeUser(ctx);
    await expect(findSipTrace(ctx, other, callId)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(findSipCapture(ctx, other, callId)).rejects.toMatchObject({ kind: 'not-found' });
    await removeCall(ctx, identity, callId);
    await storeSipTrace(ctx, trace);
    await expect(findSipTrace(ctx, identity, callId)).rejects.toMatchObject({ kind: 'not-found' });
  });
});
