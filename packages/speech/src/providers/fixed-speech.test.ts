import { systemClock } from '@parley/runtime';
import { expect, it } from 'vitest';
import { createFakeSynthesiser } from '../fakes/fake-synthesiser.ts';
import type { SpeakOptions, Synthesiser, TimedWord } from '../ports.ts';
import { createFixedSpeech } from './fixed-speech.ts';

const OPTIONS: SpeakOptions = {
  voice: 'hum',
  sampleRateHz: 8000,
  speed: 1,
  stability: 0.5,
  similarity: 0.5,
  language: 'en',
  isFixed: true,
};

async function samplesOf(voice: Synthesiser, text: string, change: Partial<SpeakOptions> = {}) {
  const samples: number[] = [];
  for await (const piece of voice.speak(text, { ...OPTIONS, ...change }, new AbortController().signal)) {
    samples.push(...piece);
    piece.fill(0); // the receiver may change what it gets
  }
  return samples;
}

function setup() {
  const provider = createFakeSynthesiser({ clock: systemClock });
  const store = createFixedSpeech();
  return { provider, store, voice: store.keepFor(provider, 'a') };
}

it('a fixed text is spoken without the provider the second time, with the same sound', async () => {
  const { provider, voice, store } = setup();
  const first = await samplesOf(voice, 'Hello there.');
  expect(first.length).toBe(4800);
  expect(await samplesOf(store.keepFor(provider, 'a'), 'Hello there.')).toEqual(first);
  expect(await samplesOf(voice, 'Hello there.')).toEqual(first);
  expect(provider.spoken).toHaveLength(1);
});

it('another voice, setting, rate, account or text is not the same speech', async () => {
  const { provider, voice, store } = setup();
  await samplesOf(voice, 'Hello.');
  await samplesOf(voice, 'Goodbye.');
  const changes = {
    voice: 'b',
    speed: 1.1,
    stability: 0,
    similarity: 0,
    language: 'de',
    sampleRateHz: 16_000,
  };
  for (const [name, value] of Object.entries(changes)) await samplesOf(voice, 'Hello.', { [name]: value });
  await samplesOf(store.keepFor(provider, 'b'), 'Hello.');
  expect(provider.spoken).toHaveLength(9);
});

it('texts of a model and speech that was cut off are not kept', async () => {
  const { provider, voice } = setup();
  await samplesOf(voice, 'Hello.', { isFixed: false });
  await samplesOf(voice, 'Hello.', { isFixed: false });
  expect(provider.spoken).toHaveLength(2);
  const cut = new AbortController();
  for await (const _piece of voice.speak('Hello, how are you?', OPTIONS, cut.signal)) cut.abort();
  await samplesOf(voice, 'Hello, how are you?');
  expect(provider.spoken).toHaveLength(4);
});

it('the times of the words are kept with the sound', async () => {
  const provider = createFakeSynthesiser({ clock: systemClock, hasWordTimes: true });
  const voice = createFixedSpeech().keepFor(provider, 'a');
  const speak = async (): Promise<TimedWord[]> => {
    const words: TimedWord[] = [];
    await samplesOf(voice, 'Hello there.', { onWord: (word) => words.push(word) });
    return words;
  };
  const first = await speak();
  expect(first).toEqual([
    { text: 'Hello', startMs: 0, endMs: 250 },
    { text: 'there.', startMs: 300, endMs: 600 },
  ]);
  expect(await speak()).toEqual(first);
  expect(provider.spoken).toHaveLength(1);
});
