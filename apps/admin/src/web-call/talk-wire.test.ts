import { describe, expect, it } from 'vitest';
import { WEB_CALL_SAMPLE_RATE_HZ, WEB_CALL_WEBRTC } from '@parley/contracts';
import { FRAME_SAMPLES, meterLevel, toPcm16, WEBRTC_QUERY, WIRE_RATE_HZ } from './talk-wire.ts';

describe('sound on the wire', () => {
  it('has the rate and the frame of the contract', () => {
    expect(WIRE_RATE_HZ).toBe(WEB_CALL_SAMPLE_RATE_HZ);
    expect(FRAME_SAMPLES).toBe(WEB_CALL_SAMPLE_RATE_HZ / 50);
    expect(WEBRTC_QUERY).toBe(`${WEB_CALL_WEBRTC}=1`);
  });

  it('clips samples that are too loud instead of wrapping them around', () => {
    const pcm = new Int16Array(4);
    toPcm16(Float32Array.of(0, 0.5, 1.7, -1.7), pcm);
    expect([...pcm]).toEqual([0, 16_384, 32_767, -32_767]);
  });

  it('is shown at the bottom for silence, at the top for full scale, and in decibels between', () => {
    expect(meterLevel(new Int16Array(320))).toBe(0);
    expect(meterLevel(new Int16Array(320).fill(32_767))).toBeCloseTo(1, 2);
    expect(meterLevel(new Int16Array(320).fill(1_036))).toBeCloseTo(0.5, 2);
  });
});
