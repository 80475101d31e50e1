/** A stream with SRTP, from datagrams to datagrams. */
import { describe, expect, test } from 'vitest';
import { encodeG711, tone } from '@parley/audio';
import type { MediaTarget } from '../media-factory.ts';
import { SrtpReceiver } from '../srtp/srtp-receiver.ts';
import { SrtpSender } from '../srtp/srtp-sender.ts';
import { MediaStream } from './media-stream.ts';
import { RTP_HEADER_BYTES, writeRtpHeader } from './rtp-packet.ts';
import type { Address } from './source-latch.ts';

const REMOTE: Address = { host: '10.0.0.9', port: 5004 };
const TARGET: MediaTarget = {
  remoteHost: REMOTE.host,
  remotePort: REMOTE.port,
  codec: 'PCMA',
  payloadType: 8,
  telephoneEventPayloadType: 101,
  direction: 'sendrecv',
};

describe('an encrypted stream', () => {
  const key = (byte: number): string => Buffer.alloc(30, byte).toString('base64');
  const SUITE = 'AES_CM_128_HMAC_SHA1_80';
  const encryption = { suite: SUITE, localKey: key(1), remoteKey: key(2) } as const;
  const farSender = (byte = 2): SrtpSender => new SrtpSender(SUITE, new Uint8Array(30).fill(byte));

  function packet(sequence: number): Uint8Array {
    const bytes = new Uint8Array(RTP_HEADER_BYTES + 160);
    const header = { payloadType: 8, hasMarker: false, sequence, timestamp: sequence * 160, ssrc: 7 };
    writeRtpHeader(new DataView(bytes.buffer), header);
    encodeG711('PCMA', tone({ hz: 440, sampleRateHz: 8000, samples: 160 }), bytes, RTP_HEADER_BYTES);
    return bytes;
  }

  /** A stream with the raw datagrams that it sends. */
  function encrypted(sequence = 1) {
    const sent: { kind: 'rtp' | 'rtcp'; bytes: Uint8Array; to: Address }[] = [];
    const stream = new MediaStream({
      start: { ssrc: 0xabcd, sequence, timestamp: 0 },
      send: (kind, bytes, to) => sent.push({ kind, bytes: bytes.slice(), to }),
      onKey: () => {},
      onSilence: () => {},
    });
    stream.connect({ ...TARGET, encryption });
    const tick = (): void => void stream.tick(0, { monotonicMs: 0, wallMs: 0 });
    return { stream, sent, tick };
  }

  test('only its far end can read it, reports included', () => {
    const { stream, sent, tick } = encrypted();
    tick();
    stream.end({ monotonicMs: 20, wallMs: 20 });
    const far = new SrtpReceiver(SUITE, new Uint8Array(30).fill(1));
    expect(sent.map(({ kind }) => kind)).toEqual(['rtp', 'rtcp']);
    expect(far.openRtp(sent[0]?.bytes.slice() ?? new Uint8Array())?.length).toBe(RTP_HEADER_BYTES + 160);
    expect(far.openRtcp(sent[1]?.bytes.slice() ?? new Uint8Array())).not.toBeNull();
    expect(
      new SrtpReceiver(SUITE, new Uint8Array(30).fill(9)).openRtp(sent[0]?.bytes.slice() ?? new Uint8Array()),
    ).toBeNull();
  });

  test('packets without its key are not heard, and do not show where the far end is', () => {
    const { stream, sent, tick } = encrypted();
    const moved = { host: REMOTE.host, port: 40_000 };
    const forger = farSender(9);
    for (let sequence = 1; sequence <= 20; sequence++) {
      stream.receive(forger.protectRtp(packet(sequence)).slice(), moved, 0);
      stream.receive(packet(sequence), moved, 0);
      tick();
    }
    expect(stream.stats()).toMatchObject({ packetsReceived: 0, rejectedPackets: 40 });
    expect(sent.at(-1)?.to).toEqual(REMOTE);
    const far = farSender();
    for (let sequence = 1; sequence <= 5; sequence++)
      stream.receive(far.protectRtp(packet(sequence)).slice(), moved, 0);
    tick();
    expect(sent.at(-1)?.to).toEqual(moved);
  });

  test('a new key replaces the old one, and a repeated one keeps the list of replays', () => {
    const { stream } = encrypted();
    const [first, second] = [
      farSender(2).protectRtp(packet(1)).slice(),
      farSender(3).protectRtp(packet(2)).slice(),
    ];
    const received = (): number => stream.stats().packetsReceived;
    stream.receive(first.slice(), REMOTE, 0);
    stream.connect({ ...TARGET, encryption });
    stream.receive(first.slice(), REMOTE, 0);
    expect(received()).toBe(1);
    stream.connect({ ...TARGET, encryption: { ...encryption, remoteKey: key(3) } });
    stream.receive(first.slice(), REMOTE, 0);
    expect(received()).toBe(1);
    stream.receive(second.slice(), REMOTE, 0);
    expect(received()).toBe(2);
  });

  test('our packet counter continues with our key, on hold too', () => {
    const { stream, sent, tick } = encrypted();
    tick();
    stream.connect({ ...TARGET, direction: 'inactive', encryption });
    tick();
    stream.connect({ ...TARGET, encryption });
    tick();
    const far = new SrtpReceiver(SUITE, new Uint8Array(30).fill(1));
    expect(sent.map(({ bytes }) => far.openRtp(bytes) !== null)).toEqual([true, true]);
  });

  /** New keys in both directions, as after a re-INVITE. */
  const later = { ...encryption, localKey: key(5), remoteKey: key(6) };

  test('with a new key of ours it is another source, whose packets begin with the first round', () => {
    const { stream, sent, tick } = encrypted(65_534);
    for (let count = 0; count < 4; count++) tick();
    const far = new SrtpReceiver(SUITE, new Uint8Array(30).fill(1));
    expect(sent.map(({ bytes }) => far.openRtp(bytes) !== null)).toEqual([true, true, true, true]);
    sent.length = 0;
    stream.connect({ ...TARGET, encryption: later });
    for (let count = 0; count < 4; count++) tick();
    const master = new Uint8Array(30).fill(5);
    for (const next of [new SrtpReceiver(SUITE, master), new SrtpReceiver(SUITE, master, far)])
      expect(sent.map(({ bytes }) => next.openRtp(bytes.slice()) !== null)).toEqual([true, true, true, true]);
    const sources = new Set(sent.map(({ bytes }) => Buffer.from(bytes).readUInt32BE(8)));
    expect([...sources]).toEqual([0xabce]);
  });

  test('with a new key of ours its reports are those of the new source, and count its packets', () => {
    const { stream, sent, tick } = encrypted();
    for (let count = 0; count < 3; count++) tick();
    stream.connect({ ...TARGET, encryption: later });
    tick();
    stream.end({ monotonicMs: 20, wallMs: 20 });
    const far = new SrtpReceiver(SUITE, new Uint8Array(30).fill(5));
    const report = Buffer.from(far.openRtcp(sent.at(-1)?.bytes.slice() ?? new Uint8Array()) ?? []);
    expect([report.readUInt32BE(4), report.readUInt32BE(20), report.readUInt32BE(24)]).toEqual([
      0xabce, 1, 160,
    ]);
    expect(stream.stats().packetsSent).toBe(4);
  });

  test.each([
    ['goes on', 1],
    ['begins anew', 0],
  ])('hears a far end whose count of rounds %s with its new key', (_, rounds) => {
    const { stream } = encrypted();
    const old = farSender();
    for (const sequence of [65_534, 65_535, 0, 1])
      stream.receive(old.protectRtp(packet(sequence)).slice(), REMOTE, 0);
    const rekeyed = farSender(6);
    for (let round = 0; round < rounds; round++)
      for (const sequence of [65_535, 1]) rekeyed.protectRtp(packet(sequence));
    stream.connect({ ...TARGET, encryption: later });
    for (const sequence of [2, 3]) stream.receive(rekeyed.protectRtp(packet(sequence)).slice(), REMOTE, 0);
    expect(stream.stats()).toMatchObject({ packetsReceived: 6, rejectedPackets: 0 });
  });
});
