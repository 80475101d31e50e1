import { describe, expect, it } from 'vitest';
import { writePcap } from './write-pcap.ts';

const AT_MS = 1_790_000_000_125;
const FOUR = { source: { host: '192.0.2.1', port: 5060 }, destination: { host: '198.51.100.7', port: 5062 } };
const SIX = {
  source: { host: '2001:db8::1', port: 5060 },
  destination: { host: '::ffff:198.51.100.7', port: 5062 },
};

/** Ones' complement sum of 16-bit words; all ones when a checksum within is right (RFC 1071). */
function sumOf(...parts: Uint8Array[]): number {
  const bytes = Buffer.concat(parts);
  const even = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]);
  let sum = 0;
  for (let at = 0; at < even.length; at += 2) sum += even.readUInt16BE(at);
  while (sum > 0xff_ff) sum = (sum >>> 16) + (sum & 0xff_ff);
  return sum;
}

/** The packets of a capture file. */
function parse(file: Uint8Array) {
  const bytes = Buffer.from(file);
  expect(bytes.subarray(0, 8).toString('hex')).toBe('a1b2c3d400020004');
  expect(bytes.readUInt32BE(20)).toBe(1);
  const packets = [];
  for (let at = 24; at < bytes.length; at += 16 + bytes.readUInt32BE(at + 8)) {
    const frame = bytes.subarray(at + 16, at + 16 + bytes.readUInt32BE(at + 8));
    const micros = bytes.readUInt32BE(at) * 1e6 + bytes.readUInt32BE(at + 4);
    packets.push({
      atMs: micros / 1000,
      frame,
      kept: bytes.readUInt32BE(at + 8),
      sent: bytes.readUInt32BE(at + 12),
    });
  }
  return packets;
}

describe('a capture file', () => {
  it('without messages is a file header', () => {
    expect(writePcap([])).toHaveLength(24);
  });

  it('has a valid IPv4 datagram for each message', () => {
    const payload = Buffer.from('OPTIONS sip:x SIP/2.0\r\n\r\n!');
    const packets = parse(
      writePcap([
        { atMs: AT_MS, ...FOUR, payload },
        { atMs: AT_MS + 1, ...FOUR, payload },
      ]),
    );
    expect(packets.map(({ atMs }) => atMs)).toEqual([AT_MS, AT_MS + 1]);
    const { frame, kept, sent } = packets[0] ?? { frame: Buffer.alloc(0) };
    expect(kept).toBe(sent);
    const [ip, udp] = [frame.subarray(14, 34), frame.subarray(34)];
    expect(frame.readUInt16BE(12)).toBe(0x0800);
    expect([...ip.subarray(12)]).toEqual([192, 0, 2, 1, 198, 51, 100, 7]);
    expect(ip.readUInt16BE(2)).toBe(frame.length - 14);
    expect(sumOf(ip)).toBe(0xff_ff);
    expect([udp.readUInt16BE(0), udp.readUInt16BE(2), udp.readUInt16BE(4)]).toEqual([5060, 5062, udp.length]);
    expect(sumOf(ip.subarray(12), Buffer.from([0, 17]), udp.subarray(4, 6), udp)).toBe(0xff_ff);
    expect(udp.subarray(8)).toEqual(payload);
  });

  it('has IPv6 datagrams too', () => {
    const payload = Buffer.from('x');
    const [packet] = parse(writePcap([{ atMs: AT_MS, ...SIX, payload }]));
    const frame = packet?.frame ?? Buffer.alloc(0);
    const [ip, udp] = [frame.subarray(14, 54), frame.subarray(54)];
    expect(frame.readUInt16BE(12)).toBe(0x86dd);
    expect(ip.subarray(8, 24).toString('hex')).toBe('20010db8000000000000000000000001');
    expect(ip.subarray(24).toString('hex')).toBe('00000000000000000000ffffc6336407');
    expect(ip.readUInt16BE(4)).toBe(udp.length);
    expect(sumOf(ip.subarray(8), Buffer.from([0, 17]), udp.subarray(4, 6), udp)).toBe(0xff_ff);
  });

  it('replaces a host that is no address', () => {
    const source = { host: 'sip.example.com', port: 5060 };
    const [packet] = parse(writePcap([{ ...FOUR, atMs: AT_MS, source, payload: Buffer.from('x') }]));
    expect([...(packet?.frame.subarray(26, 30) ?? [])]).toEqual([0, 0, 0, 0]);
  });
});
