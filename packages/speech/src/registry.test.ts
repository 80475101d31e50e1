import { afterEach, expect, it } from 'vitest';
import { ManualClock, systemClock } from '@parley/runtime';
import { collect } from '../test/collect.ts';
import { OpenAiSimulator } from './fakes/index.ts';
import { createFliteSynthesiser } from './providers/flite/flite-synthesiser.ts';
import { openSpeechProvider, type ProviderDescription } from './registry.ts';

const running: OpenAiSimulator[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (simulator) => simulator.stop()));
});

const setup = async () => {
  const simulator = new OpenAiSimulator({ clock: systemClock });
  running.push(simulator);
  await simulator.start();
  const flite = createFliteSynthesiser({ clock: new ManualClock() });
  const open = (description: ProviderDescription) =>
    openSpeechProvider(description, { clock: systemClock, flite });
  const hosted = { kind: 'openai-compatible', baseUrl: simulator.baseUrl, apiKey: 'sk-test' } as const;
  return { open, simulator, flite, hosted };
};
const signal = new AbortController().signal;
const speakOptions = { sampleRateHz: 24_000, speed: 1, stability: 0, similarity: 0, language: 'en' };

it('has a scripted model, Flite and no recogniser built in', async () => {
  const { open, flite } = await setup();
  const builtIn = open({ kind: 'built-in' });
  const asked = { systemPrompt: '', dialogue: [], tools: [], temperature: 0, language: 'en' };
  const events = await collect(builtIn.languageModel('scripted').stream(asked, signal));
  expect(events[0]).toMatchObject({ type: 'text', text: expect.stringContaining('demonstration') as string });
  expect(builtIn.synthesiser()).toBe(flite);
  expect(builtIn.recogniser('any')).toBeNull();
  expect(() => builtIn.languageModel('gpt')).toThrow(/no built-in model/);
});

it('asks an OpenAI-compatible server for the model, the voice and the words of its description', async () => {
  const { open, simulator, hosted } = await setup();
  const provider = open(hosted);
  const asked = { systemPrompt: '', dialogue: [], tools: [], temperature: 0, language: 'en' };
  await collect(provider.languageModel('small').stream(asked, signal));
  await collect(provider.synthesiser().speak('Hello.', { ...speakOptions, voice: 'alloy' }, signal));
  const final = new Promise((resolve) => {
    const stream = provider.recogniser('whisper')?.open({ language: 'en' }, resolve);
    stream?.push(new Int16Array(1600));
    stream?.finalise();
  });
  expect(await final).toMatchObject({ type: 'final', text: 'hello' });
  expect(simulator.requests.map(({ path, body }) => [path, body['model']])).toEqual([
    ['/v1/chat/completions', 'small'],
    ['/v1/audio/speech', 'tts-1'],
    ['/v1/audio/transcriptions', 'whisper'],
  ]);
  expect(simulator.requests.every(({ authorization }) => authorization === 'Bearer sk-test')).toBe(true);
});
