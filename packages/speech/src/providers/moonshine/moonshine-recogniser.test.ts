import { decodeG711, encodeG711, resample } from '@parley/audio';
import { ManualClock, silentLog, systemClock } from '@parley/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasHumanVoice, humanVoice } from '../../../test/human-voice.ts';
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
