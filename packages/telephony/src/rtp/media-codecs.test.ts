import { afterEach, describe, expect, test } from 'vitest';
import { tone, tonePurity } from '@parley/audio';
import type { MediaTarget } from '../media-factory.ts';
import { openCodec, openOpus, type LegRateHz } from './audio-codec.ts';
import type { KeyPress } from './dtmf-receiver.ts';
import { MediaStream } from './media-stream.ts';
import { parseRtp } from './rtp-packet.ts';
import { TimestampScale } from './timestamp-scale.ts';

const ENDS = [
  { host: '10.0.0.1', port: 4000 },
  { host: '10.0.0.2', port: 5000 },
] as const;
const CODECS = [
  { codec: 'PCMU', payloadType: 0, unitsPerFrame: 160 },
  { codec: 'G722', payloadType: 9, unitsPerFrame: 160 },
  { codec: 'opus', payloadType: 111, unitsPerFrame: 960 },
] as const;
type Target = Pick<MediaTarget, 'codec' | 'payloadType'> & Partial<MediaTarget>;

const running: { stop(): void }[] = [];
afterEach(() => {
  for (const pair of running.splice(0)) pair.stop();
});

/** Two legs of a call on a clock moved by hand, with a network between them that can lose packets. */
async function setup(ratesHz: readonly [LegRateHz, LegRateHz], target: Target) {
  const sent: { from: number; sequence: number; timestamp: number; payloadType: number }[] = [];
  const keys: KeyPress[] = [];
  const isLost = { packet: (_index: number): boolean => false };
  /** Is added to the sequence numbers on the way. */
  const shift = { by: 0 };
  const heard: [number[], number[]] = [[], []];
  let nowMs = 0;
  const streams = ratesHz.map(
    (sampleRateHz, from) =>
      new MediaStream({
        sampleRateHz,
        start: { ssrc: 77 + from, sequence: 65_500, timestamp: 2 ** 32 - 4000 },
        send(kind, bytes) {
          const packet = parseRtp(bytes);
          if (kind !== 'rtp' || !packet) return;
          const { sequence, timestamp, payloadType } = packet;
          sent.push({ from, sequence, timestamp, payloadType });
          if (isLost.packet(sent.length)) return;
          const copy = Buffer.from(bytes);
          copy.writeUInt16BE((sequence + shift.by) % 2 ** 16, 2);
          streams[1 - from]?.receive(copy, ENDS[from as 0 | 1], nowMs);
        },
        onKey: (key) => keys.push(key),
        onSilence() {},
      }),
  );
  const connect = async (next: Target): Promise<void> => {
    for (const [index, stream] of streams.entries()) {
      const { host: remoteHost, port: remotePort } = ENDS[1 - index] ?? ENDS[0];
      const full: MediaTarget = {
        remoteHost,
        remotePort,
        telephoneEventPayloadType: 101,
        direction: 'sendrecv',
        ...next,
      };
      const isOpening = next.codec === 'opus' && !stream.hasCodecOf(full);
      stream.connect(full, isOpening ? await openOpus(full, ratesHz[index as 0 | 1]) : undefined);
    }
  };
  const tick = (count: number): void => {
    for (let i = 0; i < count; i++) {
      nowMs += 20;
      streams.forEach((stream, index) => {
        heard[index as 0 | 1].push(...stream.tick(0, { monotonicMs: nowMs, wallMs: nowMs }).received);
      });
    }
  };
  running.push({
    stop: () => streams.forEach((stream) => stream.end({ monotonicMs: nowMs, wallMs: nowMs })),
  });
  await connect(target);
  const [caller, callee] = streams as [MediaStream, MediaStream];
  return { caller, callee, connect, tick, heard, sent, keys, isLost, shift };
}

const second = (hz: number, sampleRateHz: number, seconds = 1) =>
  tone({ hz, sampleRateHz, samples: sampleRateHz * seconds });
const lastHalf = (samples: readonly number[], sampleRateHz: number) =>
  Int16Array.from(samples.slice(-sampleRateHz / 2));

describe.each(CODECS)('with $codec', ({ unitsPerFrame, ...target }) => {
  test('both wideband legs hear the tone of the other', async () => {
    const { caller, callee, tick, heard, sent } = await setup([16_000, 16_000], target);
    caller.playout.push(1, second(1000, 16_000));
    callee.playout.push(1, second(440, 16_000));
    tick(50);
    expect(tonePurity(lastHalf(heard[0], 16_000), 440, 16_000)).toBeGreaterThan(0.95);
    expect(tonePurity(lastHalf(heard[1], 16_000), 1000, 16_000)).toBeGreaterThan(0.95);
    const ours = sent.filter(({ from }) => from === 0);
    const steps = ours.slice(1).map((packet, i) => (packet.timestamp - (ours[i]?.timestamp ?? 0)) >>> 0);
    expect(new Set(steps)).toEqual(new Set([unitsPerFrame]));
  });

  test('a wideband leg talks with a narrowband one', async () => {
    const { caller, callee, tick, heard } = await setup([16_000, 8000], target);
    caller.playout.push(1, second(1000, 16_000));
    callee.playout.push(1, second(440, 8000));
    tick(50);
    expect(tonePurity(lastHalf(heard[0], 16_000), 440, 16_000)).toBeGreaterThan(0.95);
    expect(tonePurity(lastHalf(heard[1], 8000), 1000, 8000)).toBeGreaterThan(0.95);
  });

  test('a lost packet in ten is bridged', async () => {
    const { caller, callee, tick, heard, isLost } = await setup([16_000, 16_000], target);
    isLost.packet = (index) => index % 20 === 11;
    caller.playout.push(1, second(500, 16_000, 2));
    tick(100);
    expect(heard[1]).toHaveLength(32_000);
    expect(tonePurity(lastHalf(heard[1], 16_000), 500, 16_000)).toBeGreaterThan(0.8);
    expect(callee.stats().packetsLost).toBeGreaterThan(3);
  });

  test('a stream that restarts its sequence numbers is heard on', async () => {
    const { caller, tick, heard, shift } = await setup([16_000, 16_000], target);
    caller.playout.push(1, second(500, 16_000, 3));
    tick(50);
    shift.by = 45_000;
    tick(50);
    expect(tonePurity(lastHalf(heard[1], 16_000), 500, 16_000)).toBeGreaterThan(0.95);
  });

  test('payloads at random never throw', () => {
    let state = 1;
    const random = () => (state = (state * 48_271) % 0x7f_ff_ff_ff) / 0x7f_ff_ff_ff;
    const codec = target.codec === 'opus' ? null : openCodec(target, 16_000);
    if (codec === null) return; // Those of Opus are in packages/audio.
    for (let i = 0; i < 200; i++)
      codec.decode(Uint8Array.from({ length: random() * 2000 }, () => random() * 256));
  });
});

test('wideband sound survives a wideband codec only', async () => {
  for (const { unitsPerFrame: _, ...target } of CODECS) {
    const { caller, tick, heard } = await setup([16_000, 16_000], target);
    caller.playout.push(1, second(6000, 16_000));
    tick(50);
    const purity = tonePurity(lastHalf(heard[1], 16_000), 6000, 16_000);
    if (target.codec === 'PCMU') expect(purity).toBeLessThan(0.5);
    else expect(purity).toBeGreaterThan(0.9);
  }
});

test('keys beside Opus have its clock', async () => {
  const { caller, tick, keys } = await setup([16_000, 16_000], {
    codec: 'opus',
    payloadType: 111,
    telephoneEventPayloadType: 110,
    telephoneEventClockRateHz: 48_000,
  });
  tick(10);
  caller.sendKeys('5#', 'events');
  tick(40);
  expect(keys).toEqual([
    { digit: '5', durationMs: 160 },
    { digit: '#', durationMs: 160 },
  ]);
});

test('a call goes on when its codec changes, back and forth', async () => {
  const { caller, callee, connect, tick, heard } = await setup([16_000, 16_000], CODECS[0]);
  caller.playout.push(1, second(1000, 16_000, 5));
  callee.playout.push(1, second(440, 16_000, 5));
  for (const next of [CODECS[2], CODECS[1], CODECS[0], CODECS[2]]) {
    tick(45);
    await connect(next);
  }
  tick(40);
  expect(heard[0]).toHaveLength(220 * 320);
  expect(tonePurity(lastHalf(heard[0], 16_000), 440, 16_000)).toBeGreaterThan(0.95);
  expect(tonePurity(lastHalf(heard[1], 16_000), 1000, 16_000)).toBeGreaterThan(0.95);
});

test('the far end may send by the payload types of our offer, in any codec that it has accepted', async () => {
  const { caller, callee, tick, heard, keys, sent } = await setup([8000, 8000], CODECS[0]);
  const [{ host: remoteHost, port: remotePort }, far] = ENDS;
  caller.connect({
    remoteHost: far.host,
    remotePort: far.port,
    direction: 'sendrecv',
    codec: 'PCMU',
    payloadType: 96,
    telephoneEventPayloadType: 97,
    alsoReceived: [
      { payloadType: 0, content: 'PCMU' },
      { payloadType: 8, content: 'PCMA' },
      { payloadType: 101, content: 'events' },
    ],
  });
  for (const [codec, payloadType] of [['PCMU', 0] as const, ['PCMA', 8] as const]) {
    callee.connect({
      remoteHost,
      remotePort,
      codec,
      payloadType,
      telephoneEventPayloadType: 101,
      direction: 'sendrecv',
    });
    callee.playout.push(1, second(440, 8000));
    tick(50);
    expect(tonePurity(lastHalf(heard[0], 8000), 440, 8000)).toBeGreaterThan(0.95);
  }
  callee.sendKeys('7', 'events');
  tick(20);
  expect(keys).toEqual([{ digit: '7', durationMs: 160 }]);
  expect(sent.filter(({ from }) => from === 0).at(-1)?.payloadType).toBe(96);
});

test('the far end may change between Opus and a law of its answer', async () => {
  const { caller, callee, connect, tick, heard } = await setup([16_000, 16_000], CODECS[2]);
  const [{ host: remoteHost, port: remotePort }] = ENDS;
  const alsoReceived = [{ payloadType: 0, content: 'PCMU' as const }];
  const target = { telephoneEventPayloadType: null, direction: 'sendrecv' as const };
  await connect({ ...CODECS[2], ...target, alsoReceived });
  for (const next of [CODECS[0], CODECS[2], CODECS[0]]) {
    const full = { remoteHost, remotePort, ...target, ...next };
    callee.connect(full, next.codec === 'opus' ? await openOpus(full, 16_000) : undefined);
    callee.playout.push(1, second(440, 16_000, 2));
    tick(75);
    expect(tonePurity(lastHalf(heard[0], 16_000), 440, 16_000)).toBeGreaterThan(0.95);
    callee.playout.clear();
  }
  expect(caller.stats()).toMatchObject({ droppedPackets: 0, packetsLost: 0 });
  expect(heard[0]).toHaveLength(3 * 75 * 320);
});

test('timestamps become samples across the wrap', () => {
  const scale = new TimestampScale();
  scale.use(48_000, 16_000);
  const start = scale.toSamples(2 ** 32 - 960);
  expect((scale.toSamples(0) - start) >>> 0).toBe(320);
  expect((scale.toSamples(960) - start) >>> 0).toBe(640);
  expect((scale.toSamples(2 ** 32 - 960) - start) >>> 0).toBe(0);
  for (let i = 1; i < 3000; i++) scale.toSamples((i * 2 ** 30 + 7) >>> 0);
  expect(scale.toSamples(0)).toBeLessThan(2 ** 32);
});
