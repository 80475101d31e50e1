import { describe, expect, it } from 'vitest';
import { encryptionFacts, formatOffset, mayStillCome, rtpFacts } from './sip-ladder.rules.ts';

const END = '2026-01-01T10:00:00.000000Z';
const END_MS = Date.parse(END);
const EMPTY = { messages: [], is_withheld: false };

describe('the SIP ladder', () => {
  it('shows the time since the first message', () => {
    expect(formatOffset(END, '2026-01-01T10:00:01.204000Z')).toBe('+1.204 s');
  });

  it('waits some seconds for the trace of a call that has just ended', () => {
    expect(mayStillCome({ ended_at: END }, EMPTY, END_MS + 3_000)).toBe(true);
    expect(mayStillCome({ ended_at: END }, EMPTY, END_MS + 60_000)).toBe(false);
    expect(mayStillCome({ ended_at: END }, { ...EMPTY, is_withheld: true }, END_MS)).toBe(false);
    expect(mayStillCome({ ended_at: null }, EMPTY, END_MS)).toBe(false);
    expect(mayStillCome({ ended_at: END }, undefined, END_MS)).toBe(false);
  });

  it.each([
    [true, true, 'Encrypted (TLS)', 'Encrypted (SRTP)'],
    [true, false, 'Encrypted (TLS)', 'Not encrypted'],
    [false, null, 'Not encrypted', null],
  ])('says what was encrypted: signalling %s, audio %s', (signalling, audio, ...shown) => {
    const facts = encryptionFacts({ is_signalling_encrypted: signalling, is_audio_encrypted: audio });
    expect(facts.map(([, value]) => value)).toEqual(shown);
  });

  it('does not claim what the far end has not reported', () => {
    const received = { packets: 480, lost: 3, jitter_ms: 1.2, concealed_frames: 4 };
    const facts = rtpFacts({
      codec: 'opus',
      sent: { packets: 500, lost: null, jitter_ms: null },
      received,
      round_trip_ms: null,
    });
    expect(facts.map(([, value]) => value)).toEqual(['opus', '500', '480, 3 lost', null, '1 ms', null]);
  });
});
