import { ActiveLevel, Framer, gainOfDb, peak, rmsDbfs, SPEECH_DBFS, tone } from '@parley/audio';
import { systemClock } from '@parley/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collect } from '../../test/collect.ts';
import { createFakeRealtime } from '../fakes/fake-realtime.ts';
import type { SpeakOptions, Synthesiser } from '../ports.ts';
import { FLITE_VOICES } from '../providers/flite/flite-engine.ts';
import { createFliteSynthesiser } from '../providers/flite/flite-synthesiser.ts';
import { createLoudness } from './loudness.ts';

const RATE = 8000;
const OPTIONS: SpeakOptions = {
  voice: 'anna',
  sampleRateHz: RATE,
  speed: 1,
  stability: 0.5,
  similarity: 0.5,
  language: 'en',
};
/** The pieces of hosted providers are about this long: 100 ms. */
const PIECE = 800;
const SENTENCE =
  'Good morning, this is the office of Doctor Miller. I am calling about your appointment on Thursday.';

/** A sine of that root mean square. */
function voiced(dbfs: number, seconds: number): Int16Array {
  const amplitude = Math.min(32_767, 32_768 * Math.SQRT2 * gainOfDb(dbfs));
  return tone({ hz: 400, sampleRateHz: RATE, samples: seconds * RATE, amplitude });
}

/** Uniform noise of that root mean square. */
function noise(dbfs: number, seconds: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length: seconds * RATE }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return 32_768 * Math.sqrt(3) * gainOfDb(dbfs) * (2 * (state / 2_147_483_647) - 1);
  });
}

/** A synthesiser that delivers this sound for every text, in pieces. */
function playing(...sounds: readonly Int16Array[]): Synthesiser {
  return {
    capabilities: { sampleRatesHz: [RATE], settings: [] },
    async *speak() {
      for (const sound of sounds)
        for (let at = 0; at < sound.length; at += PIECE) yield sound.slice(at, at + PIECE);
    },
  };
}

async function spoken(voice: Synthesiser, text = SENTENCE, change: Partial<SpeakOptions> = {}) {
  const pieces = await collect(voice.speak(text, { ...OPTIONS, ...change }, new AbortController().signal));
  return Int16Array.from(pieces.flatMap((piece) => [...piece]));
}

function activeDbfs(sound: Int16Array): number | null {
  const level = new ActiveLevel();
  new Framer(160).push(sound, (frame) => level.add(frame));
  return level.measure().dbfs;
}

const second = (sound: Int16Array, number: number) => sound.subarray(number * RATE, (number + 1) * RATE);

describe('a synthesiser', () => {
  it.each([-30, -25, -14, -9])('a voice at %i dBFS comes to the target within two seconds', async (dbfs) => {
    const sound = await spoken(createLoudness().level(playing(voiced(dbfs, 4)), 'a'));
    expect(rmsDbfs(second(sound, 2))).toBeCloseTo(SPEECH_DBFS, 1);
    expect(rmsDbfs(second(sound, 3))).toBeCloseTo(SPEECH_DBFS, 1);
  });

  it('the gain begins at 0 dB for a new voice, and its sound is as long as before', async () => {
    const quiet = voiced(-30, 3);
    const sound = await spoken(createLoudness().level(playing(quiet), 'a'));
    expect(sound.length).toBe(quiet.length);
    expect(rmsDbfs(sound.subarray(0, 160))).toBeCloseTo(-30, 0);
  });

  it('every piece is passed on before the next one arrives', async () => {
    const levelled = createLoudness().level(playing(voiced(-30, 1)), 'a');
    const pieces = await collect(levelled.speak('Hi.', OPTIONS, new AbortController().signal));
    expect(pieces.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => PIECE));
  });

  it('the gain is kept for the next sentence of the same voice, also in another call and at another rate', async () => {
    const loudness = createLoudness();
    await spoken(loudness.level(playing(voiced(-30, 3)), 'a'));
    const next = await spoken(loudness.level(playing(voiced(-30, 1)), 'a'), 'Next.', {
      sampleRateHz: 16_000,
    });
    expect(rmsDbfs(next.subarray(0, 160))).toBeCloseTo(SPEECH_DBFS, 0);
  });

  it('another voice and another account have their own gain', async () => {
    const loudness = createLoudness();
    await spoken(loudness.level(playing(voiced(-30, 3)), 'a'));
    const other = await spoken(loudness.level(playing(voiced(-30, 1)), 'a'), 'Hi.', { voice: 'bert' });
    expect(rmsDbfs(other.subarray(0, 160))).toBeCloseTo(-30, 0);
    const elsewhere = await spoken(loudness.level(playing(voiced(-30, 1)), 'b'));
    expect(rmsDbfs(elsewhere.subarray(0, 160))).toBeCloseTo(-30, 0);
  });

  it('a voice at the target stays within 1 dB', async () => {
    const original = voiced(SPEECH_DBFS, 3);
    const sound = await spoken(createLoudness().level(playing(original), 'a'));
    for (let at = 0; at < sound.length; at += 160)
      expect(Math.abs(rmsDbfs(sound.subarray(at, at + 160)) - SPEECH_DBFS)).toBeLessThan(1);
  });

  it('the gain is limited to 12 dB', async () => {
    const quiet = await spoken(createLoudness().level(playing(voiced(-38, 4)), 'a'));
    expect(rmsDbfs(second(quiet, 3))).toBeCloseTo(-26, 1);
    const loud = await spoken(createLoudness().level(playing(voiced(-4, 4)), 'a'));
    expect(rmsDbfs(second(loud, 3))).toBeCloseTo(-16, 1);
  });

  it('silence stays silence, also for a voice that is amplified', async () => {
    const loudness = createLoudness();
    const silence = new Int16Array(RATE);
    expect(await spoken(loudness.level(playing(silence), 'a'))).toEqual(silence);
    await spoken(loudness.level(playing(voiced(-32, 3)), 'a'));
    expect(await spoken(loudness.level(playing(silence), 'a'))).toEqual(silence);
  });

  it('quiet noise and pauses do not raise the gain', async () => {
    const loudness = createLoudness();
    const faint = noise(-45, 5);
    expect(await spoken(loudness.level(playing(faint), 'a'))).toEqual(faint);
    const voice = loudness.level(playing(voiced(-20, 2), new Int16Array(5 * RATE), noise(-45, 5)), 'a');
    const sound = await spoken(voice);
    expect(rmsDbfs(second(sound, 11))).toBeCloseTo(-45, 0);
  });

  it('a loud peak after quiet speech does not clip', async () => {
    const sound = await spoken(createLoudness().level(playing(voiced(-32, 3), voiced(-3.01, 0.1)), 'a'));
    expect(rmsDbfs(second(sound, 2))).toBeCloseTo(-20, 0);
    const loud = sound.subarray(3 * RATE);
    expect(peak(loud)).toBeGreaterThan(32_000);
    const flat = loud.filter((sample, at) => Math.abs(sample) > 32_000 && sample === loud[at - 1]);
    expect(flat.length).toBe(0);
  });

  it('sentences that are made at the same time share what is learned', async () => {
    const voice = createLoudness().level(playing(voiced(-28, 3)), 'a');
    const both = await Promise.all([spoken(voice), spoken(voice)]);
    for (const sound of both) expect(rmsDbfs(second(sound, 2))).toBeCloseTo(SPEECH_DBFS, 1);
  });
});

describe('the built-in voices', () => {
  it('differ by many decibels, and by less than 2 dB when levelled', { timeout: 60_000 }, async () => {
    const flite = createFliteSynthesiser({ clock: systemClock });
    onTestFinished(() => flite.stop());
    const levelled = createLoudness().level(flite, 'built-in');
    const before: number[] = [];
    const first: number[] = [];
    const next: number[] = [];
    for (const voice of FLITE_VOICES) {
      before.push(activeDbfs(await spoken(flite, SENTENCE, { voice })) ?? 0);
      first.push(activeDbfs(await spoken(levelled, SENTENCE, { voice })) ?? 0);
      const text = 'Would half past ten be fine, or would you rather come in the afternoon?';
      next.push(activeDbfs(await spoken(levelled, text, { voice })) ?? 0);
    }
    expect(Math.max(...before) - Math.min(...before)).toBeGreaterThan(10);
    for (const levels of [first, next]) {
      expect(Math.max(...levels) - Math.min(...levels)).toBeLessThan(2);
      for (const level of levels) expect(Math.abs(level - SPEECH_DBFS)).toBeLessThan(2);
    }
  });
});

describe('speech to speech', () => {
  it('is levelled in replies and in texts that are read out; its words are passed on', async () => {
    const model = createFakeRealtime({
      clock: systemClock,
      answers: ['This is a reply of some length, so that it is known.'],
    });
    const options = {
      sampleRateHz: RATE,
      systemPrompt: '',
      tools: [],
      language: 'en',
      speed: 1,
      history: [],
    };
    const session = createLoudness()
      .levelRealtime(model, 'a', 'anna@model')
      .open(options, () => {});
    const { signal } = new AbortController();
    const pieces = await collect(session.reply(null, signal));
    expect(pieces.some(({ type }) => type === 'words')).toBe(true);
    const sounds = pieces.flatMap((piece) => (piece.type === 'sound' ? [piece.samples] : []));
    // The tone of the fake has -15 dBFS.
    expect(rmsDbfs(sounds[0] ?? new Int16Array())).toBeGreaterThan(-18);
    expect(rmsDbfs(sounds.at(-1) ?? new Int16Array())).toBeCloseTo(SPEECH_DBFS, 0);
    const [read] = await collect(session.speak('Goodbye.', signal));
    expect(rmsDbfs(read ?? new Int16Array())).toBeCloseTo(SPEECH_DBFS, 0);
    session.close();
    expect(model.told).not.toHaveLength(0);
  });
});
