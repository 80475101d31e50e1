import { decodeG711, encodeG711, resample } from '@parley/audio';
import { ManualClock, silentLog, systemClock } from '@parley/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasHumanVoice, humanVoice } from '../../../test/human-voice.ts';
import { createFliteSynthesiser } from '../flite/flite-synthesiser.ts';
import { createMoonshineRecogniser } from './moonshine-recogniser.ts';

const PHRASES = ['monday', 'friday', 'in the afternoon', 'yes', 'no'];
const SAMPLES_PER_MS = 16;
const KEYS_MS = 3000;
const [KEY_EVERY_MS, KEY_MS, KEY_FADE_MS, KEY_PEAK] = [165, 50, 6, 4500];
// Its time limits never pass, so that a slow machine fails no test.
const clock = new ManualClock();
const recogniser = createMoonshineRecogniser({ clock, log: silentLog });
const flite = createFliteSynthesiser({ clock: systemClock });
beforeAll(async () => flite.start());
afterAll(async () => {
  await flite.stop();
  await recogniser.close();
});

/** A sentence of Flite through a telephone, with a second of silence before it. */
async function say(text: string): Promise<Int16Array> {
  const options = { voice: 'rms', sampleRateHz: 8000, speed: 1, stability: 0, similarity: 0, language: 'en' };
  const pieces: Int16Array[] = [new Int16Array(8000)];
  for await (const piece of flite.speak(text, options, new AbortController().signal)) pieces.push(piece);
  return throughTelephone(Int16Array.from(pieces.flatMap((piece) => [...piece])));
}

/** @param sound - mono, 8000 Hz */
function throughTelephone(sound: Int16Array): Int16Array {
  const coded = new Uint8Array(sound.length);
  const heard = new Int16Array(sound.length);
  encodeG711('PCMU', sound, coded);
  decodeG711('PCMU', coded, heard);
  return resample(heard, 8000, 16_000);
}

/** Keys of a computer for 3 s, until the sentence begins. */
function afterKeys(sentence: Int16Array): Int16Array {
  const sound = new Int16Array(sentence.length + KEYS_MS * SAMPLES_PER_MS);
  sound.set(sentence, KEYS_MS * SAMPLES_PER_MS);
  let noise = 1;
  for (let key = 0; key * KEY_EVERY_MS < KEYS_MS; key++)
    for (let at = 0; at < KEY_MS * SAMPLES_PER_MS; at++) {
      noise = (noise * 16_807) % 2_147_483_647;
      const level = KEY_PEAK * Math.exp(-at / (KEY_FADE_MS * SAMPLES_PER_MS));
      sound[key * KEY_EVERY_MS * SAMPLES_PER_MS + at] = level * ((2 * noise) / 2_147_483_647 - 1);
    }
  return sound;
}

async function hear(
  sounds: readonly Int16Array[],
  phrases: readonly string[],
  onsetMs?: number,
): Promise<string[]> {
  const texts: string[] = [];
  return new Promise((resolve) => {
    const stream = recogniser.open({ language: 'en' }, (event) => {
      texts.push(event.type === 'final' ? event.text : event.type);
      if (texts.length === sounds.length) resolve(texts);
    });
    stream.expect?.(phrases);
    for (const sound of sounds) {
      stream.push(sound);
      stream.finalise(onsetMs);
    }
  });
}

it('recognises expected phrases, in order', { timeout: 240_000 }, async () => {
  const sounds = await Promise.all(PHRASES.map(say));
  expect(await hear(sounds, PHRASES)).toEqual(PHRASES);
});

it('writes other speech as free text, and nothing for silence', { timeout: 240_000 }, async () => {
  const question = await say('Who is this?');
  expect(await hear([question, new Int16Array(16_000)], PHRASES)).toEqual(['Who is this?', '']);
});

it('hears a sentence that follows keys without a pause', { timeout: 240_000 }, async () => {
  const silence = 1000 * SAMPLES_PER_MS;
  const sentence = (await say('At half past seven, please.')).subarray(silence);
  const onset = sentence.findIndex((sample) => Math.abs(sample) > 500) / SAMPLES_PER_MS;
  expect(await hear([afterKeys(sentence)], [], KEYS_MS + onset)).toEqual([
    expect.stringMatching(/half.*seven, please/),
  ]);
});

it('ends its thread when there is nothing to recognise, and loads the model for the next call', async () => {
  const threads = (): number => (process.report.getReport() as { workers: unknown[] }).workers.length;
  expect(await hear([await say('Yes.')], PHRASES)).toEqual(['yes']);
  const before = threads();
  clock.advance(300_000);
  await expect.poll(threads).toBe(before - 1);
  expect(await hear([await say('No.')], PHRASES)).toEqual(['no']);
});

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
it.skipIf(!hasHumanVoice())(
  'tells the days of a human voice apart, and takes no month for a day',
  { timeout: 240_000 },
  async () => {
    const names = [...DAYS.keys()].flatMap((at) => [`digits/day-${at}`, `digits/mon-${at}`]);
    const sounds = await Promise.all(names.map(async (name) => throughTelephone(await humanVoice(name))));
    const texts = await hear(sounds, DAYS);
    expect(texts.filter((_, at) => at % 2 === 0)).toEqual(DAYS);
    expect(texts.filter((text, at) => at % 2 === 1 && DAYS.includes(text))).toEqual([]);
  },
);
