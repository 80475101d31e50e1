import { describe, expect, test } from 'vitest';
import {
  parseRtp,
  RTP_HEADER_BYTES,
  sequenceDistance,
  timestampDistance,
  writeRtpHeader,
} from './rtp-packet.ts';

/** A packet written down by hand from the diagram of RFC 3550: PCMU, marker, sequence 0x1234, payload 1 2 3. */
const PLAIN = [0x80, 0x80, 0x12, 0x34, 0xde, 0xad, 0xbe, 0xef, 0xca, 0xfe, 0xba, 0xbe, 1, 2, 3];

describe('RTP packet', () => {
  test('every field of a plain packet is read', () => {
    expect(parseRtp(Uint8Array.from(PLAIN))).toEqual({
      payloadType: 0,
      hasMarker: true,
      sequence: 0x1234,
      timestamp: 0xdeadbeef,
      ssrc: 0xcafebabe,
      payload: Uint8Array.of(1, 2, 3),
    });
  });

  test('a written packet is read back unchanged', () => {
    const bytes = new Uint8Array(RTP_HEADER_BYTES + 1);
    const header = {
      payloadType: 101,
      hasMarker: false,
      sequence: 65_535,
      timestamp: 4_294_967_295,
      ssrc: 1,
    };
    writeRtpHeader(new DataView(bytes.buffer), header);
    expect(parseRtp(bytes)).toEqual({ ...header, payload: Uint8Array.of(0) });
  });

  test('contributing sources, extension and padding are left out of the payload', () => {
    const sources = [9, 9, 9, 9];
    const extension = [0xbe, 0xde, 0, 1, 7, 7, 7, 7];
    const bytes = [0x80 | 0x20 | 0x10 | 1, ...PLAIN.slice(1, 12), ...sources, ...extension, 1, 2, 3, 0, 2];
    expect(parseRtp(Uint8Array.from(bytes))?.payload).toEqual(Uint8Array.of(1, 2, 3));
  });

  test.each([
    ['too short', PLAIN.slice(0, 11)],
    ['version 1', [0x40, ...PLAIN.slice(1)]],
    ['more contributing sources than bytes', [0x8f, ...PLAIN.slice(1)]],
    ['an extension without its length', [0x90, ...PLAIN.slice(1)]],
    ['an extension longer than the packet', [0x90, ...PLAIN.slice(1, 12), 0, 0, 0, 9, 1]],
    ['more padding than payload', [0xa0, ...PLAIN.slice(1, 12), 1, 2, 9]],
  ])('a datagram with %s is refused', (_, bytes) => {
    expect(parseRtp(Uint8Array.from(bytes))).toBeNull();
  });

  test('distances wrap around', () => {
    expect(sequenceDistance(2, 65_534)).toBe(4);
    expect(sequenceDistance(65_534, 2)).toBe(-4);
    expect(timestampDistance(100, 4_294_967_196)).toBe(200);
    expect(timestampDistance(4_294_967_196, 100)).toBe(-200);
  });

  test('the parser never throws', () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) & 0xff;
    for (let i = 0; i < 5000; i++) {
      const bytes = Uint8Array.from({ length: random() % 40 }, random);
      if (bytes.length > 0) bytes[0] = 0x80 | (random() & 0x3f);
      expect(() => parseRtp(bytes)).not.toThrow();
    }
  });
});
