import { expect, it } from 'vitest';
import type { RecognitionSupport } from '../capacity/recognition-support.ts';
import { decideRecognition, type RecognitionSettings } from './recognition.rules.ts';

const languages = {
  openai: 'any',
  deepgram: 'any',
  'openai-compatible': 'any',
  assemblyai: ['en', 'de'],
} as const;
const withEnglish: RecognitionSupport = {
  detector: 'silero',
  recognisedLanguages: { ...languages, 'built-in': ['en'] },
};
const without: RecognitionSupport = {
  detector: 'silero',
  recognisedLanguages: { ...languages, 'built-in': [] },
};
const byLoudness: RecognitionSupport = { ...without, detector: 'energy' };

const builtIn = { kind: 'built-in', name: 'Built in', transcriptionModel: null } as const;
const deepgram = { kind: 'deepgram', name: 'Deepgram', transcriptionModel: null } as const;
const assembly = { kind: 'assemblyai', name: 'AssemblyAI', transcriptionModel: null } as const;
const ollama = { kind: 'openai-compatible', name: 'Ollama', transcriptionModel: null } as const;

const scripted: RecognitionSettings = {
  mode: 'pipeline',
  language: { iso2: 'en', name: 'English' },
  voiceProvider: 'Built in',
  modelKind: 'built-in',
  recognisers: [builtIn],
};
const modelled: RecognitionSettings = { ...scripted, modelKind: 'openai-compatible', recognisers: [] };
const polish = { language: { iso2: 'pl', name: 'Polish' } };
const keys = { by: 'keys', language: 'English' };

it.each<[string, Partial<RecognitionSettings>, RecognitionSettings, RecognitionSupport[], object]>([
  ['the built-in recogniser serves scripts', {}, scripted, [withEnglish], { by: 'built-in' }],
  ['without a recogniser a script reacts to keys only', {}, scripted, [without], keys],
  ['the poorest recognition of two processes counts', {}, scripted, [withEnglish, without], keys],
  [
    'the built-in recogniser knows English only',
    polish,
    scripted,
    [withEnglish],
    { by: 'keys', language: 'Polish' },
  ],
  [
    'a provider recognises speech for scripts too',
    { recognisers: [deepgram, builtIn] },
    scripted,
    [without],
    { by: 'provider', provider: 'Deepgram', isCertain: true },
  ],
  [
    'a provider that does not support the language is skipped',
    { recognisers: [assembly, deepgram], ...polish },
    modelled,
    [without],
    { by: 'provider', provider: 'Deepgram', isCertain: true },
  ],
  [
    'an OpenAI-compatible server might not transcribe',
    { recognisers: [ollama] },
    modelled,
    [without],
    { by: 'provider', provider: 'Ollama', isCertain: false },
  ],
  [
    'a server that names its transcription model does',
    { recognisers: [{ ...ollama, transcriptionModel: 'whisper' }] },
    modelled,
    [without],
    { by: 'provider', provider: 'Ollama', isCertain: true },
  ],
  [
    'the built-in recogniser serves models',
    { recognisers: [builtIn] },
    modelled,
    [withEnglish],
    { by: 'built-in' },
  ],
  ['a model without a recogniser receives no transcript', {}, modelled, [withEnglish], { by: 'none' }],
  [
    'speech to speech needs no recogniser',
    { mode: 'multimodal', voiceProvider: 'OpenAI' },
    modelled,
    [without],
    { by: 'realtime', provider: 'OpenAI' },
  ],
  ['no voice process is running', {}, scripted, [], { by: 'no-voice-process' }],
])('%s', (_sentence, change, assistant, processes, expected) => {
  expect(decideRecognition({ ...assistant, ...change }, processes)).toEqual({
    ...expected,
    isByLoudness: false,
  });
});

it('reports detection by level', () => {
  expect(decideRecognition(scripted, [withEnglish, byLoudness])).toMatchObject({ isByLoudness: true });
});
