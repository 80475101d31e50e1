import { describe, expect, test } from 'vitest';
import { encodeG711, rmsDbfs, tone, tonePurity } from '@parley/audio';
import type { MediaTarget } from '../media-factory.ts';
import type { KeyPress } from './dtmf-receiver.ts';
import { MediaStream } from './media-stream.ts';
import { parseRtp, RTP_HEADER_BYTES, writeRtpHeader, type RtpHeader, type RtpPacket } from './rtp-packet.ts';
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

/** A stream on a clock moved by hand. `far` is what the far end sees and does. */
function setup(target: Partial<MediaTarget> = {}) {
  const packets: (RtpPacket & { to: Address })[] = [];
  const reports: { bytes: Uint8Array; to: Address }[] = [];
  const keys: KeyPress[] = [];
  let silences = 0;
  let nowMs = 0;
  const stream = new MediaStream({
    start: { ssrc: 0xabcd, sequence: 65_530, timestamp: 2 ** 32 - 800 },
    send(kind, bytes, to) {
      const packet = parseRtp(bytes.slice());
      if (kind === 'rtp' && packet) packets.push({ ...packet, to });
      if (kind === 'rtcp') reports.push({ bytes, to });
    },
    onKey: (key) => keys.push(key),
    onSilence: () => silences++,
  });
  stream.connect({ ...TARGET, ...target });
  const received: number[] = [];
  const sent: { turn: number; samples: number }[] = [];
  const heldMs: number[] = [];
  const tick = (count = 1, latenessMs = 0): void => {
    for (let i = 0; i < count; i++) {
      nowMs += 20;
      const result = stream.tick(latenessMs, { monotonicMs: nowMs, wallMs: 1_700_000_000_000 + nowMs });
      received.push(...result.received);
      sent.push({ turn: result.sentTurn, samples: result.sentSamples });
      heldMs.push(result.receivedAgoMs);
    }
  };
  const feed = (
    header: Partial<RtpHeader> & { sequence: number },
    samples: Int16Array,
    from = REMOTE,
  ): void => {
    const bytes = new Uint8Array(RTP_HEADER_BYTES + samples.length);
    const full = { payloadType: 8, hasMarker: false, timestamp: header.sequence * 160, ssrc: 7, ...header };
    writeRtpHeader(new DataView(bytes.buffer), full);
    encodeG711('PCMA', samples, bytes, RTP_HEADER_BYTES);
    stream.receive(bytes, from, nowMs);
  };
  /** Feeds a tone frame by frame while time passes. */
  const feedTone = (hz: number, frames: number, header: Partial<RtpHeader> = {}, from = REMOTE): void => {
    for (let n = 0; n < frames; n++) {
      const sequence = (header.sequence ?? 0) + n;
      feed({ ...header, sequence }, tone({ hz, sampleRateHz: 8000, samples: 160, startAt: n * 160 }), from);
      tick();
    }
  };
  return {
    stream,
    packets,
    reports,
    keys,
    received,
    sent,
    heldMs,
    tick,
    feed,
    feedTone,
    silences: () => silences,
  };
}

describe('media stream', () => {
  test('each frame reports its age', () => {
    const { received, heldMs, feedTone } = setup();
    feedTone(500, 20);
    // The packet that came at 0 is heard in the third frame, which is taken at 60 ms.
    const firstFrame = Math.floor(received.findIndex((sample) => Math.abs(sample) > 1000) / 160);
    expect(firstFrame).toBe(2);
    expect(heldMs.slice(firstFrame)).toEqual(heldMs.slice(firstFrame).map(() => 60));
  });

  test('silence suppression of the far end does not increase the reported age', () => {
    const { heldMs, feedTone, tick } = setup();
    feedTone(500, 20);
    tick(100);
    expect(heldMs.at(-1)).toBe(60);
  });

  test.each(['PCMA', 'G722'] as const)(
    'a far end that takes 10 ms only gets two packets a frame: %s',
    (codec) => {
      const whole = setup({ codec, payloadType: 9 });
      const halved = setup({ codec, payloadType: 9, packetMs: 10 });
      const samples = tone({ hz: 500, sampleRateHz: 8000, samples: 1600 });
      for (const { stream, tick } of [whole, halved]) {
        stream.playout.push(1, samples.slice());
        tick(10);
        stream.sendKeys('1', 'events');
        tick(20);
      }
      const payloadOf = ({ packets }: typeof whole) =>
        Buffer.concat(packets.filter(({ payloadType }) => payloadType === 9).map(({ payload }) => payload));
      expect(payloadOf(halved).equals(payloadOf(whole))).toBe(true);
      const sound = halved.packets.slice(0, 20);
      expect(new Set(sound.map(({ payload }) => payload.length))).toEqual(new Set([80]));
      const steps = sound
        .slice(1)
        .map(({ timestamp }, at) => (timestamp - (sound[at]?.timestamp ?? 0)) >>> 0);
      expect(new Set(steps)).toEqual(new Set([80]));
      const numbers = halved.packets.map(({ sequence }) => sequence);
      expect(numbers).toEqual(numbers.map((_, at) => (65_530 + at) % 65_536));
      expect(sound.map(({ hasMarker }) => hasMarker).indexOf(true, 1)).toBe(-1);
      expect(halved.packets.at(-1)?.timestamp).toBe(((whole.packets.at(-1)?.timestamp ?? 0) + 80) >>> 0);
    },
  );

  test('silence is sent without pause and numbered without a gap, across both wraparounds', () => {
    const { packets, tick } = setup();
    tick(20);
    expect(packets.map((packet) => packet.sequence)).toEqual(
      Array.from({ length: 20 }, (_, i) => (65_530 + i) % 65_536),
    );
    expect(packets.map((packet) => packet.timestamp)).toEqual(
      Array.from({ length: 20 }, (_, i) => (2 ** 32 - 800 + 160 * i) % 2 ** 32),
    );
    expect(packets.map((packet) => packet.hasMarker)).toEqual([
      true,
      ...Array.from({ length: 19 }, () => false),
    ]);
    expect(packets.every((packet) => packet.payload.length === 160 && packet.payload[0] === 0xd5)).toBe(true);
  });

  test('played audio is sent, and the ticks report its turn and length', () => {
    const { stream, packets, sent, tick } = setup();
    stream.playout.push(3, tone({ hz: 500, sampleRateHz: 8000, samples: 400 }));
    tick(4);
    expect(sent).toEqual([
      { turn: 3, samples: 160 },
      { turn: 3, samples: 160 },
      { turn: 3, samples: 80 },
      { turn: 0, samples: 0 },
    ]);
    expect(packets[0]?.payload.some((octet) => octet !== 0xd5)).toBe(true);
    expect(packets[3]?.payload.every((octet) => octet === 0xd5)).toBe(true);
  });

  test('a tone of the far end is received pure after the initial delay of two frames', () => {
    const { received, feedTone } = setup();
    feedTone(440, 50);
    expect(tonePurity(Int16Array.from(received.slice(320)), 440, 8000)).toBeGreaterThan(0.99);
  });

  test('another payload type, an empty packet and a damaged one are ignored', () => {
    const { stream, received, tick, feed } = setup();
    for (let n = 0; n < 20; n++) {
      feed({ sequence: n, payloadType: 0 }, tone({ hz: 440, sampleRateHz: 8000, samples: 160 }));
      feed({ sequence: n }, new Int16Array(0));
      stream.receive(Uint8Array.of(1, 2, 3), REMOTE, 0);
      tick();
    }
    expect(rmsDbfs(Int16Array.from(received))).toBe(-100);
    expect(stream.stats()).toMatchObject({ packetsReceived: 0, droppedPackets: 60 });
  });

  test('packets of other sources are never played', () => {
    const { stream, received, tick, feed } = setup();
    const stranger = { host: '10.6.6.6', port: 5004 };
    const samePlace = { host: REMOTE.host, port: 6000 };
    for (let n = 0; n < 100; n++) {
      const sound = (hz: number): Int16Array =>
        tone({ hz, sampleRateHz: 8000, samples: 160, startAt: n * 160 });
      feed({ sequence: n }, sound(1000), stranger);
      feed({ sequence: n }, sound(440));
      feed({ sequence: n }, sound(1500), samePlace);
      tick();
    }
    expect(tonePurity(Int16Array.from(received.slice(320)), 440, 8000)).toBeGreaterThan(0.99);
    expect(stream.stats()).toMatchObject({ droppedPackets: 200, rejectedPackets: 200 });
  });

  test('a far end behind NAT is accepted after its trial, and gets our audio', () => {
    const { packets, received, feedTone } = setup({ signallingHost: '192.0.2.1' });
    feedTone(440, 50, {}, { host: '192.0.2.1', port: 999 });
    expect(tonePurity(Int16Array.from(received.slice(15 * 160)), 440, 8000)).toBeGreaterThan(0.99);
    expect(packets[0]?.to).toEqual(REMOTE);
    expect(packets.at(-1)?.to).toEqual({ host: '192.0.2.1', port: 999 });
  });

  test('a new SSRC during a call continues the audio and adds no loss', () => {
    const { stream, received, feedTone } = setup();
    feedTone(440, 25);
    feedTone(440, 25, { ssrc: 8, sequence: 40_000 });
    expect(tonePurity(Int16Array.from(received.slice(30 * 160)), 440, 8000)).toBeGreaterThan(0.98);
    expect(stream.stats()).toMatchObject({ packetsReceived: 50, packetsLost: 0 });
  });

  test('with one packet in ten lost, the tone is still there and the loss is counted', () => {
    const { stream, received, tick, feed } = setup();
    for (let n = 0; n < 140; n++) {
      if (n % 10 !== 5)
        feed({ sequence: n }, tone({ hz: 440, sampleRateHz: 8000, samples: 160, startAt: n * 160 }));
      tick();
    }
    expect(tonePurity(Int16Array.from(received.slice(320)), 440, 8000)).toBeGreaterThan(0.95);
    expect(stream.stats()).toMatchObject({ packetsLost: 14, concealedFrames: 16 });
  });

  test('keys are sent instead of audio, and the audio waits', () => {
    const { stream, packets, sent, tick } = setup();
    stream.sendKeys('5', 'events');
    stream.playout.push(1, new Int16Array(1600).fill(500));
    tick(11);
    const events = packets.filter((packet) => packet.payloadType === 101);
    expect(events).toHaveLength(10);
    expect(new Set(events.map((packet) => packet.timestamp)).size).toBe(1);
    expect(events.map((packet) => packet.hasMarker)).toEqual([
      true,
      ...Array.from({ length: 9 }, () => false),
    ]);
    expect(sent.slice(0, 10).every(({ samples }) => samples === 0)).toBe(true);
    expect(sent[10]).toEqual({ turn: 1, samples: 160 });
    expect(packets[10]?.hasMarker).toBe(true);
    expect((packets[10]?.timestamp ?? 0) - (packets[0]?.timestamp ?? 0) + 2 ** 32).toBe(1600);
  });

  test('events are dropped if the far end does not support them', () => {
    const { stream, packets, tick } = setup({ telephoneEventPayloadType: null });
    stream.sendKeys('5', 'events');
    tick(5);
    expect(packets.every((packet) => packet.payloadType === 8)).toBe(true);
  });

  test.each([
    { telephoneEventPayloadType: null, detected: '0123456789*#ABCD' },
    { telephoneEventPayloadType: 101, detected: '' },
  ])('tones are keys only without telephone-event: $telephoneEventPayloadType', ({ detected, ...target }) => {
    const near = setup();
    const far = setup(target);
    near.stream.sendKeys('0123456789*#ABCD', 'tones');
    near.stream.playout.push(1, new Int16Array(160).fill(500));
    for (let i = 0; i < 16 * 13 + 20; i++) {
      near.tick();
      const packet = near.packets.at(-1);
      if (!packet) continue;
      const bytes = new Uint8Array(RTP_HEADER_BYTES + packet.payload.length);
      writeRtpHeader(new DataView(bytes.buffer), packet);
      bytes.set(packet.payload, RTP_HEADER_BYTES);
      far.stream.receive(bytes, REMOTE, i * 20);
      far.tick();
    }
    expect(far.keys.map((key) => key.digit).join('')).toBe(detected);
    expect(near.packets.every((packet) => packet.payloadType === 8)).toBe(true);
    // The audio waits for the tones.
    expect(near.sent.findIndex(({ turn }) => turn === 1)).toBe(16 * 13);
  });

  test('keys from the far end are reported, and only from its own address', () => {
    const { stream, keys, tick, feed } = setup();
    feed({ sequence: 0 }, new Int16Array(160));
    const key = Uint8Array.from([0x80, 101, 0, 1, 0, 0, 0, 160, 0, 0, 0, 7, 9, 0x8a, 5, 0]);
    stream.receive(key, { host: '10.6.6.6', port: 5004 }, 0);
    expect(keys).toEqual([]);
    stream.receive(key, REMOTE, 0);
    tick();
    expect(keys).toEqual([{ digit: '9', durationMs: 160 }]);
  });

  test('on hold nothing is sent or received and the queue waits; afterwards both continue', () => {
    const { stream, packets, received, sent, tick, feedTone } = setup({ direction: 'inactive' });
    stream.playout.push(1, new Int16Array(320).fill(900));
    feedTone(440, 20);
    expect(packets).toEqual([]);
    expect(rmsDbfs(Int16Array.from(received))).toBe(-100);
    expect(stream.playout.queuedSamples).toBe(320);
    stream.connect(TARGET);
    tick(2);
    expect(sent.slice(-2)).toEqual([
      { turn: 1, samples: 160 },
      { turn: 1, samples: 160 },
    ]);
    expect(packets[0]?.hasMarker).toBe(true);
    expect(packets[0]?.timestamp).toBe((2 ** 32 - 800 + 20 * 160) % 2 ** 32);
  });

  test('a new target gets the packets and is the only accepted source; numbering continues', () => {
    const { stream, packets, received, feedTone } = setup();
    feedTone(440, 20);
    stream.connect({ ...TARGET, remoteHost: '10.0.0.10', remotePort: 7000 });
    const before = received.length;
    const elsewhere = { host: '10.0.0.10', port: 7000 };
    feedTone(1000, 20, { sequence: 500, ssrc: 9 }, elsewhere);
    expect(packets.slice(20).every((packet) => packet.to.port === 7000)).toBe(true);
    expect(packets[20]?.sequence).toBe((65_530 + 20) % 65_536);
    expect(tonePurity(Int16Array.from(received.slice(before + 320)), 1000, 8000)).toBeGreaterThan(0.99);
  });

  test('a session refresh that changes nothing leaves no gap, also for a far end behind NAT', () => {
    const { stream, packets, received, feedTone } = setup();
    const behindNat = { host: REMOTE.host, port: 61_000 };
    feedTone(440, 30, {}, behindNat);
    stream.connect({ ...TARGET });
    const before = received.length;
    feedTone(440, 30, { sequence: 30 }, behindNat);
    expect(packets.slice(30).every((packet) => packet.to.port === behindNat.port)).toBe(true);
    expect(tonePurity(Int16Array.from(received.slice(before)), 440, 8000)).toBeGreaterThan(0.99);
  });

  test('silence of the far end is reported once, after the limit, and not on hold', () => {
    const { stream, tick, feedTone, silences } = setup();
    stream.watchSilence(1000);
    feedTone(440, 60);
    tick(48);
    expect(silences()).toBe(0);
    tick(100);
    expect(silences()).toBe(1);

    const held = setup({ direction: 'sendonly' });
    held.stream.watchSilence(1000);
    held.tick(200);
    expect(held.silences()).toBe(0);
  });

  test('a report of the far end counts as life, one of another host does not', () => {
    const report = Uint8Array.of(0x80, 201, 0, 1, 0, 0, 0, 7);
    const { stream, tick, silences } = setup();
    stream.watchSilence(1000);
    for (let second = 0; second < 5; second++) {
      tick(40);
      stream.receiveRtcp(report, { host: REMOTE.host, port: REMOTE.port + 1 }, 0);
    }
    expect(silences()).toBe(0);
    tick(40);
    stream.receiveRtcp(report, { host: '10.0.0.66', port: REMOTE.port + 1 }, 0);
    stream.receiveRtcp(new Uint8Array(8), REMOTE, 0);
    tick(10);
    expect(silences()).toBe(1);
  });

  test('after a freeze of the process, missed frames are counted but not sent, and do not count as silence', () => {
    const { stream, packets, sent, tick, silences } = setup();
    stream.watchSilence(1000);
    tick(10);
    stream.playout.push(1, new Int16Array(160).fill(900));
    tick(500, 5000);
    expect(packets).toHaveLength(10);
    expect(sent).toHaveLength(510);
    expect(silences()).toBe(0);
    tick(1);
    expect(sent.at(-1)).toEqual({ turn: 1, samples: 160 });
    expect(packets[10]).toMatchObject({ sequence: (65_530 + 10) % 65_536, hasMarker: true });
    expect(packets[10]?.timestamp).toBe((2 ** 32 - 800 + 510 * 160) % 2 ** 32);
  });

  test('reports are sent to the port after the RTP port, every few seconds and at the end', () => {
    const { stream, reports, feedTone } = setup();
    feedTone(440, 1000);
    expect(reports.length).toBeGreaterThanOrEqual(2);
    expect(reports.length).toBeLessThanOrEqual(8);
    expect(reports[0]?.to).toEqual({ host: REMOTE.host, port: REMOTE.port + 1 });
    expect(reports[0]?.bytes[1]).toBe(200);
    const before = reports.length;
    stream.end({ monotonicMs: 0, wallMs: 0 });
    expect(reports).toHaveLength(before + 1);
    expect(reports.at(-1)?.bytes.at(-7)).toBe(203);
  });

  test('two streams joined back to back carry keys and stay in step for a minute', () => {
    const near = setup();
    const far = setup();
    near.stream.sendKeys('0123456789*#', 'events');
    for (let i = 0; i < 3000; i++) {
      near.tick();
      const packet = near.packets.at(-1);
      if (packet) {
        const bytes = new Uint8Array(RTP_HEADER_BYTES + packet.payload.length);
        writeRtpHeader(new DataView(bytes.buffer), packet);
        bytes.set(packet.payload, RTP_HEADER_BYTES);
        far.stream.receive(bytes, REMOTE, i * 20);
      }
      far.tick();
    }
    expect(far.keys.map((key) => key.digit).join('')).toBe('0123456789*#');
    expect(far.stream.stats()).toMatchObject({ packetsReceived: 3000, packetsLost: 0 });
  });
});
