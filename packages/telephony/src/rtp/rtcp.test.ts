import { describe, expect, test } from 'vitest';
import { parseSenderReport, writeRtcp, type RtcpReport } from './rtcp.ts';

const SENT = { wallMs: 500, timestamp: 0x01020304, packets: 7, octets: 1120 };
const HEARD = {
  ssrc: 0xaabbccdd,
  fractionLost: 64,
  packetsLost: 3,
  highestSequence: 0x1_0005,
  jitter: 9,
  lastReport: 0x11223344,
  sinceLastReportMs: 500,
};

function setup(change: Partial<RtcpReport> = {}) {
  const bytes = writeRtcp({
    ssrc: 0xcafebabe,
    name: 'ab',
    sent: SENT,
    heard: HEARD,
    isGoodbye: false,
    ...change,
  });
  const hex = Buffer.from(bytes).toString('hex').match(/.{8}/g) ?? [];
  return { bytes, words: hex };
}

describe('RTCP', () => {
  test('a sender report with a report block and a CNAME has the layout of the RFC', () => {
    expect(setup().words).toEqual(
      [
        '81c8000c cafebabe 83aa7e80 80000000 01020304 00000007 00000460',
        'aabbccdd 40000003 00010005 00000009 11223344 00008000',
        '81ca0003 cafebabe 01026162 00000000',
      ]
        .join(' ')
        .split(' '),
    );
  });

  test('without sent packets it is a receiver report, without received packets it has no report block', () => {
    expect(setup({ sent: null }).words.slice(0, 3)).toEqual(['81c90007', 'cafebabe', 'aabbccdd']);
    expect(setup({ sent: null, heard: null }).words.slice(0, 3)).toEqual([
      '80c90001',
      'cafebabe',
      '81ca0003',
    ]);
  });

  test('BYE is the last packet', () => {
    expect(setup({ isGoodbye: true }).words.slice(-2)).toEqual(['81cb0001', 'cafebabe']);
  });

  test('the time of a received sender report is found, also behind other packets', () => {
    const expected = { ssrc: 0xcafebabe, ntpMiddle: 0x7e808000 };
    expect(parseSenderReport(setup().bytes)).toEqual(expected);
    const receiverReport = Uint8Array.of(0x80, 201, 0, 1, 0, 0, 0, 1);
    expect(parseSenderReport(Uint8Array.from([...receiverReport, ...setup().bytes]))).toEqual(expected);
  });

  test('malformed packets give null and never throw', () => {
    const { bytes } = setup();
    expect(parseSenderReport(bytes.subarray(0, 20))).toBeNull();
    expect(parseSenderReport(Uint8Array.of(0x80, 201, 0xff, 0xff, 0, 0, 0, 0))).toBeNull();
    for (let i = 0; i < bytes.length; i++) expect(() => parseSenderReport(bytes.subarray(i))).not.toThrow();
  });
});
