import { decodeG711, encodeG711, resample } from '@parley/audio';
import { silentLog, systemClock } from '@parley/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecogniserEvent } from '../../ports.ts';
import { createFliteSynthesiser } from '../flite/flite-synthesiser.ts';
import { findPocketSphinx } from './pocketsphinx-files.ts';
import { createPhraseRecogniser } from './pocketsphinx-recogniser.ts';

const installed = findPocketSphinx();
const recogniser = createPhraseRecogniser({ clock: systemClock, log: silentLog });
if (!recogniser) {
  const why = 'pocketsphinx and pocketsphinx-en-us are not installed: the tests of phrases are skipped';
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`${why}\n`);
}

const PHRASES = [
  'monday',
  'wednesday',
  'friday',
  'in the morning',
  'in the afternoon',
  'goodbye',
  'tomorrow',
];
const OTHERS = [
  'I want to order a pizza',
  'What did you say?',
  'My dog has a cold today',
  'Can I speak to a human?',
  'I do not know',
  'Who is this?',
  'Please call me later',
];

describe.skipIf(!recogniser)('a recogniser of phrases', () => {
  const flite = createFliteSynthesiser({ clock: systemClock });
  beforeAll(async () => flite.start());
  afterAll(async () => {
    await flite.stop();
    await recogniser?.close();
  });

  /** What a telephone makes of a sentence, with a second of line before it. */
  async function say(text: string, voice: string): Promise<Int16Array> {
    const options = { voice, sampleRateHz: 8000, speed: 1, stability: 0, similarity: 0, language: 'en' };
    const pieces: Int16Array[] = [new Int16Array(8000)];
    for await (const piece of flite.speak(text, options, new AbortController().signal)) pieces.push(piece);
    const line = Int16Array.from([...pieces, new Int16Array(3200)].flatMap((piece) => [...piece]));
    const coded = new Uint8Array(line.length);
    encodeG711('PCMU', line, coded);
    decodeG711('PCMU', coded, line);
    return resample(line, 8000, 16_000);
  }

  async function hear(
    sounds: readonly Int16Array[],
    phrases: readonly string[],
    by = recogniser,
  ): Promise<RecogniserEvent[]> {
    const events: RecogniserEvent[] = [];
    return new Promise((resolve) => {
      const stream = by?.open({ language: 'en' }, (event) => {
        events.push(event);
        if (events.length === sounds.length) resolve(events);
      });
      stream?.expect?.(phrases);
      for (const sound of sounds) {
        stream?.push(sound);
        stream?.finalise();
      }
    });
  }
  const textsOf = (events: readonly RecogniserEvent[]): string[] =>
    events.map((event) => (event.type === 'final' ? event.text : event.type));

  it.each(['rms', 'slt', 'kal16'])('understands what %s says, in order', async (voice) => {
    const sounds = await Promise.all(PHRASES.map(async (phrase) => say(phrase, voice)));
    const heard = textsOf(await hear(sounds, PHRASES));
    const right = heard.filter((text, index) => text === PHRASES[index]);
    expect(right.length, `heard ${heard.join(', ')}`).toBeGreaterThanOrEqual(PHRASES.length - 1);
  });

  it('takes polite words around a phrase', async () => {
    expect(textsOf(await hear([await say('Friday, please.', 'rms')], PHRASES))).toEqual(['friday']);
  });

  it('refuses most of what is no phrase', async () => {
    const sounds = await Promise.all(OTHERS.map(async (text) => say(text, 'rms')));
    const taken = textsOf(await hear(sounds, PHRASES)).filter((text) => text !== '');
    expect(taken.length, `took ${taken.join(', ')}`).toBeLessThanOrEqual(1);
  });

  it.each(['rms', 'slt', 'kal16'])('takes a hello or a what of %s for no answer', async (voice) => {
    const sounds = await Promise.all(
      ['Hello?', 'What?', 'What did you say?'].map(async (text) => say(text, voice)),
    );
    expect(textsOf(await hear(sounds, [...PHRASES, 'no']))).toEqual(['', '', '']);
  });

  it('understands nothing where nothing is expected, and nothing in silence', async () => {
    const monday = await say('monday', 'rms');
    expect(textsOf(await hear([monday], []))).toEqual(['']);
    expect(textsOf(await hear([new Int16Array(16_000)], PHRASES))).toEqual(['']);
  });

  it('says where in the sound the words end', async () => {
    const monday = await say('monday', 'rms');
    const [event] = await hear([monday], PHRASES);
    expect(event).toMatchObject({ type: 'final', endMs: (monday.length * 1000) / 16_000 });
  });

  it('treats a failing program as an utterance without words', async () => {
    if (!installed) throw new Error('not installed');
    const files = { ...installed, program: '/bin/false' };
    const broken = createPhraseRecogniser({ clock: systemClock, log: silentLog, files });
    const monday = await say('monday', 'rms');
    expect(textsOf(await hear([monday], PHRASES, broken))).toEqual(['']);
    await broken?.close();
  });
});
