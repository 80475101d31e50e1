/** On sound: a built-in voice as the assistant, another as the caller, the real detector, a telephone between them. */
import { decodeG711, encodeG711, gainOfDb, mixInto, Resampler, rmsDbfs } from '@parley/audio';
import { silentLog, systemClock } from '@parley/runtime';
import { createBuiltInDetector, createFliteSynthesiser, type BuiltInDetector } from '@parley/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hearWindow, NO_ACTIVITY } from './caller-activity.rules.ts';
import { NearEndGate } from './near-end-gate.ts';

const RATE = 8000;
const PAUSE_MS = 250;
const ASSISTANT_SAYS =
  'Good morning. I am calling about the appointment that you have made for Monday. Would you like to keep it?';
const CALLER_SAYS = 'No, wait, I have to change that. Monday does not suit me at all.';

let detector: BuiltInDetector;
let assistant: Int16Array;
let caller: Int16Array;
const flite = createFliteSynthesiser({ clock: systemClock });
beforeAll(async () => {
  detector = await createBuiltInDetector({ clock: systemClock, log: silentLog });
  assistant = await speech(ASSISTANT_SAYS, 'slt');
  caller = await speech(CALLER_SAYS, 'rms');
});
afterAll(async () => {
  await detector.close();
  await flite.stop();
});

async function speech(text: string, voice: string): Promise<Int16Array> {
  const options = { voice, sampleRateHz: RATE, speed: 1, stability: 0, similarity: 0, language: 'en' };
  const pieces: Int16Array[] = [];
  for await (const piece of flite.speak(text, options, new AbortController().signal)) pieces.push(piece);
  return Int16Array.from(pieces.flatMap((piece) => [...piece]));
}

/** A second longer than the assistant speaks, with hiss, and with sounds laid over it. */
function line(...sounds: { sound: Int16Array; atMs: number; db: number }[]): Int16Array {
  let seed = 3;
  const heard = new Int16Array(assistant.length + RATE).map(() => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed / 2 ** 31 - 1) * 15;
  });
  for (const { sound, atMs, db } of sounds)
    mixInto(heard.subarray((atMs * RATE) / 1000), sound, gainOfDb(db));
  const coded = new Uint8Array(heard.length);
  encodeG711('PCMU', heard, coded);
  decodeG711('PCMU', coded, heard);
  return heard;
}

/** When speech begins, milliseconds, as the rules hear it; without a gate what the detector makes of it. */
async function beginnings(
  received: Int16Array,
  options: { sent?: Int16Array; gate?: NearEndGate | null },
): Promise<number[]> {
  return (await segments(received, options)).map(({ fromMs }) => fromMs);
}

interface Segment {
  fromMs: number;
  toMs: number;
}

async function segments(
  received: Int16Array,
  { sent = new Int16Array(0), gate = null }: { sent?: Int16Array; gate?: NearEndGate | null },
): Promise<Segment[]> {
  const wide = new Resampler(RATE, 16_000).process(received);
  const windows: { probability: number; endMs: number }[] = [];
  const expected = Math.floor(wide.length / 512);
  await new Promise<void>((resolve) => {
    const stream = detector.open((probability, endMs) => {
      if (windows.push({ probability, endMs }) === expected) resolve();
    });
    stream.push(wide);
  });
  let activity = NO_ACTIVITY;
  const found: Segment[] = [];
  for (let at = 0, nowMs = 20; at + 160 <= received.length; at += 160, nowMs += 20) {
    const ours = new Int16Array(160);
    ours.set(sent.subarray(at, at + 160));
    gate?.hear(received.subarray(at, at + 160), ours);
    // The detector answers two windows late.
    while (windows[0] && windows[0].endMs + 64 <= nowMs) {
      const { probability, endMs } = windows.shift() ?? { probability: 0, endMs: 0 };
      const counted = gate ? gate.weigh(probability, endMs) : probability;
      const next = hearWindow(activity, { probability: counted, endMs }, PAUSE_MS);
      if (next.isSpeaking && !activity.isSpeaking) found.push({ fromMs: next.startedMs, toMs: 0 });
      activity = next;
      const last = found.at(-1);
      if (last && next.isSpeaking) last.toMs = next.lastSpeechMs;
    }
  }
  return found;
}

const DELAYS_MS = [20, 100, 250, 400];

describe('the echo of the assistant', () => {
  it.each([-6, -12, -18, -24, -30])('at %i dB is no speech of the caller', async (db) => {
    for (const atMs of DELAYS_MS) {
      const received = line({ sound: assistant, atMs, db });
      const raw = await beginnings(received, {});
      if (db >= -24) expect(raw.length, 'without the gate it is').toBeGreaterThan(0);
      const gate = new NearEndGate(RATE, false);
      expect(await beginnings(received, { sent: assistant, gate }), `after ${atMs} ms`).toEqual([]);
    }
  });

  it('does not cover the caller, who begins to speak as soon as without it', async () => {
    const spokenAtMs = 2000;
    const alone = await beginnings(line({ sound: caller, atMs: spokenAtMs, db: 0 }), {});
    for (const db of [-12, -20, -30]) {
      const received = line({ sound: assistant, atMs: 150, db }, { sound: caller, atMs: spokenAtMs, db: 0 });
      const gate = new NearEndGate(RATE, true);
      const [first = Infinity] = await beginnings(received, { sent: assistant, gate });
      expect(first - (alone[0] ?? 0), `echo of ${db} dB`).toBeLessThanOrEqual(200);
      expect(first).toBeGreaterThanOrEqual(spokenAtMs - 100);
    }
  });
});

describe('voices behind the caller', () => {
  /** The caller for two seconds, then somebody else, so much softer. */
  const scene = (behindDb: number): Int16Array => {
    const db = behindDb + rmsDbfs(caller) - rmsDbfs(assistant);
    const own = { sound: caller.subarray(0, 2 * RATE), atMs: 300, db: 0 };
    return line(own, { sound: assistant, atMs: 3200, db });
  };

  it('begin no speech where noise is to be kept out', async () => {
    const gate = new NearEndGate(RATE, true);
    expect((await beginnings(scene(-24), { gate })).filter((ms) => ms > 3000)).toEqual([]);
  });

  it('begin none for a second and a half where they may be the caller, who has become softer', async () => {
    const gate = new NearEndGate(RATE, true);
    const [first = Infinity] = (await beginnings(scene(-14), { gate })).filter((ms) => ms > 3000);
    expect(first).toBeGreaterThan(3200 + 1200);
    expect(first).toBeLessThan(3200 + 3000);
  });

  it('count where it is not', async () => {
    const gate = new NearEndGate(RATE, false);
    expect((await beginnings(scene(-16), { gate })).filter((ms) => ms > 3000)).not.toEqual([]);
  });

  it('count when they are as loud as the caller', async () => {
    const gate = new NearEndGate(RATE, true);
    expect((await beginnings(scene(-2), { gate })).filter((ms) => ms > 3000)).not.toEqual([]);
  });

  it.each([-24, -30, -36])('at %i dB do not continue the speech of the caller', async (behindDb) => {
    const db = behindDb + rmsDbfs(caller) - rmsDbfs(assistant);
    const own = { sound: caller.subarray(0, 2 * RATE), atMs: 300, db: 0 };
    const received = line(own, { sound: assistant, atMs: 0, db });
    for (const keepsNoiseOut of [false, true]) {
      const heard = await segments(received, { gate: new NearEndGate(RATE, keepsNoiseOut) });
      const late = heard.filter(({ fromMs, toMs }) => fromMs > 300 && toMs > 2300 + 600);
      expect(late).toEqual([]);
    }
  });

  it('do not continue speech over them, where they are 20 dB below the caller', async () => {
    const db = -20 + rmsDbfs(caller) - rmsDbfs(assistant);
    const own = { sound: caller.subarray(0, 2 * RATE), db: 0 };
    const scenes = [
      { sound: assistant, atMs: 300, db },
      { ...own, atMs: 300 },
      { ...own, atMs: 2800 },
    ];
    const heard = await segments(line(...scenes), { gate: new NearEndGate(RATE, false) });
    expect(heard.at(-1)?.fromMs).toBeGreaterThan(2700);
    expect(heard.at(-1)?.toMs).toBeLessThan(2800 + 2000 + 500);
  });

  it('cost no word its end', async () => {
    const fading = caller.map((sample, n) => sample * gainOfDb((-18 * n) / caller.length));
    const received = line({ sound: fading, atMs: 300, db: 0 });
    const gated = await beginnings(received, { gate: new NearEndGate(RATE, true) });
    expect(gated[0]).toBe((await beginnings(received, {}))[0]);
  });
});
