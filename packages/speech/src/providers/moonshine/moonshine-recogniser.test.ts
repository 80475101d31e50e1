import { decodeG711, encodeG711, resample } from '@parley/audio';
import { ManualClock, silentLog, systemClock } from '@parley/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFliteSynthesiser } from '../flite/flite-synthesiser.ts';
import { createMoonshineRecogniser } from './moonshine-recogniser.ts';

const PHRASES = ['monday', 'friday', 'in the afternoon', 'yes', 'no'];
// Its time limits never pass, so that a slow machine fails no test.
const recogniser = createMoonshineRecogniser({ clock: new ManualClock(), log: silentLog });
const flite = createFliteSynthesiser({ clock: systemClock });
beforeAll(async () => flite.start());
afterAll(async () => {
  await flite.stop();
  await recogniser.close();
});

/** What a telephone makes of a sentence, with a second of silence before it. */
async function say(text: string): Promise<Int16Array> {
  const options = { voice: 'rms', sampleRateHz: 8000, speed: 1, stability: 0, similarity: 0, language: 'en' };
  const pieces: Int16Array[] = [new Int16Array(8000)];
  for await (const piece of flite.speak(text, options, new AbortController().signal)) pieces.push(piece);
  const sound = Int16Array.from(pieces.flatMap((piece) => [...piece]));
  const coded = new Uint8Array(sound.length);
  encodeG711('PCMU', sound, coded);
  decodeG711('PCMU', coded, sound);
  return resample(sound, 8000, 16_000);
}

async function hear(sounds: readonly Int16Array[], phrases: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  return new Promise((resolve) => {
    const stream = recogniser.open({ language: 'en' }, (event) => {
      texts.push(event.type === 'final' ? event.text : event.type);
      if (texts.length === sounds.length) resolve(texts);
    });
    stream.expect?.(phrases);
    for (const sound of sounds) {
      stream.push(sound);
      stream.finalise();
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
