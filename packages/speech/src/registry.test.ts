import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock, systemClock } from '@parley/runtime';
import { collect } from '../test/collect.ts';
import { createFakeRecogniser, OpenAiSimulator } from './fakes/index.ts';
import { createFliteSynthesiser } from './providers/flite/flite-synthesiser.ts';
import { RECOGNISED_LANGUAGES } from './recognised-languages.ts';
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
  const recogniser = createFakeRecogniser({ clock: systemClock, utterances: [] });
  const open = (description: ProviderDescription) =>
    openSpeechProvider(description, { clock: systemClock, flite, recogniser });
  const hosted = { kind: 'openai-compatible', baseUrl: simulator.baseUrl, apiKey: 'sk-test' } as const;
  return { open, simulator, flite, recogniser, hosted };
};
const signal = new AbortController().signal;
const choice = { language: 'en', sampleRateHz: 8000, wantsTurns: false };
const speakOptions = { sampleRateHz: 24_000, speed: 1, stability: 0, similarity: 0, language: 'en' };

it('has a scripted model, Flite and a recogniser of English built in', async () => {
  const { open, flite, recogniser } = await setup();
  const builtIn = open({ kind: 'built-in' });
  const asked = { systemPrompt: '', dialogue: [], tools: [], temperature: 0, language: 'en' };
  const events = await collect(builtIn.languageModel('scripted').stream(asked, signal));
  expect(events[0]).toMatchObject({ type: 'text', text: expect.stringContaining('demonstration') as string });
  expect(builtIn.synthesiser()).toBe(flite);
  expect(builtIn.recogniser(choice)).toBe(recogniser);
  expect(builtIn.recogniser({ ...choice, language: 'de' })).toBeNull();
  expect(() => builtIn.languageModel('gpt')).toThrow(/no built-in model/);
});

it.each([
  'built-in',
  'openai',
  'openai-compatible',
  'deepgram',
  'assemblyai',
  'anthropic',
  'cartesia',
] as const)('lists the languages of the recogniser of %s', async (kind) => {
  const { open } = await setup();
  const provider = open({ kind, baseUrl: 'http://127.0.0.1:1', apiKey: 'sk-test' });
  const known = RECOGNISED_LANGUAGES[kind] ?? [];
  for (const language of ['en', 'de', 'ja']) {
    const isKnown = known === 'any' || known.includes(language);
    expect([language, provider.recogniser({ ...choice, language }) !== null]).toEqual([language, isKnown]);
  }
});

it('asks an OpenAI-compatible server for the model, the voice and the words of its description', async () => {
  const { open, simulator, hosted } = await setup();
  const provider = open(hosted);
  const asked = { systemPrompt: '', dialogue: [], tools: [], temperature: 0, language: 'en' };
  await collect(provider.languageModel('small').stream(asked, signal));
  await collect(provider.synthesiser().speak('Hello.', { ...speakOptions, voice: 'alloy' }, signal));
  const final = new Promise((resolve) => {
    const stream = provider.recogniser(choice)?.open({ language: 'en' }, resolve);
    stream?.push(new Int16Array(1600).fill(1000));
    stream?.finalise();
  });
  expect(await final).toMatchObject({ type: 'final', text: 'hello' });
  expect(simulator.requests.map(({ path, body }) => [path, body['model']])).toEqual([
    ['/v1/chat/completions', 'small'],
    ['/v1/audio/speech', 'tts-1'],
    ['/v1/audio/transcriptions', 'whisper-1'],
  ]);
  expect(simulator.requests.every(({ authorization }) => authorization === 'Bearer sk-test')).toBe(true);
});

it('asks a server that has named its transcription model for that one', async () => {
  const { open, simulator, hosted } = await setup();
  const provider = open({ ...hosted, transcriptionModel: 'Systran/faster-whisper-small' });
  const final = new Promise((resolve) => {
    const stream = provider.recogniser(choice)?.open({ language: 'en' }, resolve);
    stream?.push(new Int16Array(1600).fill(1000));
    stream?.finalise();
  });
  expect(await final).toMatchObject({ type: 'final', text: 'hello' });
  expect(simulator.requests[0]?.body).toMatchObject({ model: 'Systran/faster-whisper-small' });
});

describe('what a provider can do', () => {
  const account = { baseUrl: 'https://provider.example', apiKey: 'sk-test' };
  it.each([
    ['openai', true, true, 'none'],
    ['openai-compatible', true, true, 'none'],
    ['anthropic', true, false, null],
    ['google', true, false, null],
    ['deepgram', false, true, 'pause'],
    ['assemblyai', false, false, 'pause'],
    ['elevenlabs', false, true, null],
    ['cartesia', false, true, null],
  ] as const)(
    '%s thinks: %s, speaks: %s, hears with an end of turn: %s',
    async (kind, thinks, speaks, turns) => {
      const { open } = await setup();
      const provider = open({ kind, ...account });
      const asks = (what: () => unknown) => expect(what);
      if (thinks) expect(provider.languageModel('m')).toHaveProperty('stream');
      else asks(() => provider.languageModel('m')).toThrow(/has no models/);
      if (speaks) expect(provider.synthesiser()).toHaveProperty('speak');
      else asks(() => provider.synthesiser()).toThrow(/has no voices/);
      expect(provider.recogniser(choice)?.capabilities.endOfTurn ?? null).toBe(turns);
    },
  );

  it('Deepgram hears the end of a turn where it is wanted and the language allows it', async () => {
    const { open } = await setup();
    const provider = open({ kind: 'deepgram', ...account });
    const ends = (language: string) =>
      provider.recogniser({ ...choice, language, wantsTurns: true })?.capabilities.endOfTurn;
    expect([ends('en'), ends('de'), ends('pl')]).toEqual(['semantic', 'semantic', 'pause']);
  });

  it('AssemblyAI hears no language that it has no model for', async () => {
    const { open } = await setup();
    expect(open({ kind: 'assemblyai', ...account }).recogniser({ ...choice, language: 'pl' })).toBeNull();
  });

  it('speech to speech is named by a voice and its model, where a provider has it', async () => {
    const { open } = await setup();
    const openAi = open({ kind: 'openai', ...account });
    expect(openAi.realtimeModel('marin@gpt-realtime')).toHaveProperty('open');
    expect(open({ kind: 'google', ...account }).realtimeModel('Kore@gemini-live')).toHaveProperty('open');
    expect(() => openAi.realtimeModel('alloy')).toThrow(/is not a voice and model/);
    expect(() => open({ kind: 'deepgram', ...account }).realtimeModel('a@b')).toThrow(/no speech to speech/);
  });

  it('a kind of a newer version is refused without its key', async () => {
    const { open } = await setup();
    const unknown = { kind: 'oracle', ...account } as unknown as ProviderDescription;
    expect(() => open(unknown)).toThrow('Unknown kind of provider: oracle');
  });
});
