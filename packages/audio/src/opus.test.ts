import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { rmsDbfs } from './level.ts';
import { MAX_OPUS_PACKET_BYTES, OpusDecoder, OpusEncoder, type OpusRateHz } from './opus.ts';
import { seededRandom } from './seeded-noise.ts';
import { tone, toneAmplitude, tonePurity } from './tone.ts';

const owned: { free(): void }[] = [];
afterEach(() => {
  for (const codec of owned.splice(0)) codec.free();
});

async function setup(sampleRateHz: OpusRateHz, options: { hasFec?: boolean; bitrate?: number } = {}) {
  const encoder = await OpusEncoder.create({ sampleRateHz, ...options });
  const decoder = await OpusDecoder.create({ sampleRateHz });
  owned.push(encoder, decoder);
  return { encoder, decoder };
}

/** Whole frames of a signal as packets. */
function encodeAll(encoder: OpusEncoder, sound: Int16Array): Uint8Array[] {
  const packets: Uint8Array[] = [];
  const buffer = new Uint8Array(MAX_OPUS_PACKET_BYTES);
  const length = encoder.frameSamples;
  for (let at = 0; at + length <= sound.length; at += length) {
    const bytes = encoder.encode(sound.subarray(at, at + length), buffer);
    packets.push(buffer.slice(0, bytes));
  }
  return packets;
}

function decodeAll(decoder: OpusDecoder, packets: readonly Uint8Array[]): Int16Array {
  const pieces: number[] = [];
  const output = new Int16Array(decoder.maxSamples);
  for (const packet of packets) pieces.push(...output.subarray(0, decoder.decode(packet, output)));
  return Int16Array.from(pieces);
}

/** A vowel: harmonics of a pitch of 150 Hz, weaker towards the treble. */
function vowel(sampleRateHz: number, seconds: number): Int16Array {
  return Int16Array.from({ length: sampleRateHz * seconds }, (_, i) => {
    let sum = 0;
    for (let harmonic = 1; harmonic <= 20; harmonic++)
      sum += Math.sin((2 * Math.PI * 150 * harmonic * i) / sampleRateHz) / harmonic;
    return Math.round(5000 * sum);
  });
}

/** A tone whose pitch changes every 200 ms. */
function melody(sampleRateHz: number): Int16Array {
  const note = sampleRateHz / 5;
  const notes = [500, 900, 500, 900, 500].map((hz, index) =>
    tone({ hz, sampleRateHz, samples: note, startAt: index * note }),
  );
  return Int16Array.from(notes.flatMap((samples) => [...samples]));
}

function snrDb(expected: readonly number[], heard: readonly number[]): number {
  let signal = 0;
  let noise = 0;
  expected.forEach((sample, i) => {
    signal += sample ** 2;
    noise += (sample - (heard[i] ?? 0)) ** 2;
  });
  return 10 * Math.log10(signal / noise);
}

describe('a round trip', () => {
  test.each([
    { sampleRateHz: 8000 as const, hz: 440 },
    { sampleRateHz: 16_000 as const, hz: 440 },
    { sampleRateHz: 16_000 as const, hz: 6000 },
    { sampleRateHz: 48_000 as const, hz: 9000 },
  ])('keeps a tone of $hz Hz pure at $sampleRateHz Hz', async ({ sampleRateHz, hz }) => {
    const { encoder, decoder } = await setup(sampleRateHz);
    const packets = encodeAll(encoder, tone({ hz, sampleRateHz, samples: sampleRateHz / 2 }));
    const heard = decodeAll(decoder, packets).subarray(sampleRateHz / 4);
    expect(tonePurity(heard, hz, sampleRateHz)).toBeGreaterThan(0.92);
    expect(rmsDbfs(heard)).toBeGreaterThan(-18);
  });

  test('keeps the spectrum of a voice', async () => {
    const { encoder, decoder } = await setup(16_000);
    const original = vowel(16_000, 1);
    const heard = decodeAll(decoder, encodeAll(encoder, original));
    expect(heard).toHaveLength(original.length);
    for (const hz of [150, 300, 600, 1500, 2400, 3000]) {
      const change =
        toneAmplitude(heard.subarray(8000), hz, 16_000) / toneAmplitude(original.subarray(8000), hz, 16_000);
      expect(Math.abs(20 * Math.log10(change)), `level at ${hz} Hz`).toBeLessThan(3);
    }
  });

  test('goes from one rate to another', async () => {
    const { encoder } = await setup(48_000);
    const { decoder } = await setup(8000);
    const packets = encodeAll(encoder, tone({ hz: 1000, sampleRateHz: 48_000, samples: 48_000 }));
    const heard = decodeAll(decoder, packets);
    expect(heard).toHaveLength(8000);
    expect(tonePurity(heard.subarray(4000), 1000, 8000)).toBeGreaterThan(0.95);
  });

  test('stays below the bit rate of G.711, and follows a change of the bit rate', async () => {
    const { encoder } = await setup(16_000);
    const octetsPerSecond = (packets: Uint8Array[]) =>
      packets.reduce((sum, packet) => sum + packet.length, 0);
    const usual = octetsPerSecond(encodeAll(encoder, vowel(16_000, 1)));
    expect(usual).toBeLessThan(5000);
    encoder.limitBitrate(12_000);
    encoder.limitBitrate(500_000);
    expect(octetsPerSecond(encodeAll(encoder, vowel(16_000, 1)))).toBeLessThan(usual * 0.7);
  });
});

describe('packet loss', () => {
  test.each([
    { hasFec: true, least: 10, most: 40 },
    { hasFec: false, least: -5, most: 5 },
  ])('the next packet repairs a lost one only with FEC ($hasFec)', async ({ hasFec, least, most }) => {
    const { encoder, decoder } = await setup(16_000, { hasFec });
    const { decoder: reference } = await setup(16_000);
    const packets = encodeAll(encoder, melody(16_000));
    const output = new Int16Array(decoder.maxSamples);
    const lost = { expected: [] as number[], repaired: [] as number[] };
    packets.forEach((packet, index) => {
      // Each change of the pitch is in a lost packet, so that what came before it does not help.
      const isLost = index > 0 && index % 10 === 0;
      const next = packets[index + 1];
      reference.decode(packet, output);
      if (isLost) lost.expected.push(...output.subarray(0, 320));
      if (!isLost || !next) decoder.decode(packet, output);
      else expect(decoder.recover(next, output)).toBe(320);
      if (isLost) lost.repaired.push(...output.subarray(0, 320));
    });
    expect(lost.expected).toHaveLength(4 * 320);
    expect(snrDb(lost.expected, lost.repaired)).toBeGreaterThan(least);
    expect(snrDb(lost.expected, lost.repaired)).toBeLessThan(most);
  });

  test('concealment fades out', async () => {
    const { encoder, decoder } = await setup(16_000);
    decodeAll(decoder, encodeAll(encoder, vowel(16_000, 0.2)));
    const output = new Int16Array(decoder.maxSamples);
    for (let i = 0; i < 50; i++) expect(decoder.conceal(output)).toBe(320);
    expect(rmsDbfs(output.subarray(0, 320))).toBeLessThan(-50);
  });
});

describe('hostile packets', () => {
  test('decode to at most 120 ms and never throw', async () => {
    const { encoder, decoder } = await setup(16_000);
    const random = seededRandom(7);
    const good = encodeAll(encoder, vowel(16_000, 0.2));
    const output = new Int16Array(decoder.maxSamples);
    let longest = 0;
    for (let round = 0; round < 1000; round++) {
      const isMutated = round % 2 === 0;
      const packet = isMutated
        ? Uint8Array.from(good[round % good.length] ?? [])
        : new Uint8Array(Math.floor(random() * MAX_OPUS_PACKET_BYTES));
      if (isMutated) packet[Math.floor(random() * packet.length)] = random() * 256;
      else for (let i = 0; i < packet.length; i++) packet[i] = random() * 256;
      longest = Math.max(longest, decoder.decode(packet, output), decoder.recover(packet, output));
    }
    expect(longest).toBeLessThanOrEqual(decoder.maxSamples);
  });

  test.each([
    ['an empty packet', new Uint8Array(0)],
    ['a packet longer than a datagram', new Uint8Array(MAX_OPUS_PACKET_BYTES + 1)],
    ['63 frames of 60 ms', Uint8Array.of(0x1b, 0x3f, 0, 0)],
    ['a count without frames', Uint8Array.of(0x1b)],
  ])('%s gives no sound', async (_, packet) => {
    const { decoder } = await setup(16_000);
    const output = new Int16Array(decoder.maxSamples);
    expect(decoder.decode(packet, output)).toBe(0);
    expect(decoder.recover(packet, output)).toBe(0);
  });
});

test('memory is released: a thousand calls use no more than a few', async () => {
  for (let i = 0; i < 1000; i++) {
    const encoder = await OpusEncoder.create({ sampleRateHz: 16_000 });
    const decoder = await OpusDecoder.create({ sampleRateHz: 16_000 });
    encoder.free();
    decoder.free();
    decoder.free();
    if (i === 999) expect(() => encoder.encode(new Int16Array(320), new Uint8Array(1500))).toThrow('freed');
  }
});

test('a worker thread can use it', async () => {
  const module = new URL('opus.ts', import.meta.url).href;
  const source = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(module)}).then(async ({ OpusEncoder }) => {
      const encoder = await OpusEncoder.create({ sampleRateHz: 16000 });
      parentPort.postMessage(encoder.encode(new Int16Array(320), new Uint8Array(1500)));
      encoder.free();
    });`;
  const worker = new Worker(source, { eval: true });
  const bytes = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  expect(bytes).toBeGreaterThan(0);
  await worker.terminate();
});
