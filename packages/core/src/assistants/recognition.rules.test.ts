import { expect, it } from 'vitest';
import type { VoiceHearing } from '../capacity/hearing.ts';
import { decideRecognition, type HearingAssistant } from './recognition.rules.ts';

const languages = {
  openai: 'any',
  deepgram: 'any',
  'openai-compatible': 'any',
  assemblyai: ['en', 'de'],
} as const;
const withPhrases: VoiceHearing = {
  detector: 'silero',
  recognisedLanguages: { ...languages, 'built-in': ['en'] },
};
const without: VoiceHearing = { detector: 'silero', recognisedLanguages: { ...languages, 'built-in': [] } };
const byLoudness: VoiceHearing = { ...without, detector: 'energy' };

const builtIn = { kind: 'built-in', name: 'Built in' } as const;
const deepgram = { kind: 'deepgram', name: 'Deepgram' } as const;
const assembly = { kind: 'assemblyai', name: 'AssemblyAI' } as const;
const ollama = { kind: 'openai-compatible', name: 'Ollama' } as const;

const scripted: HearingAssistant = {
  mode: 'pipeline',
  language: { iso2: 'en', name: 'English' },
  voiceProvider: 'Built in',
  modelKind: 'built-in',
  recognisers: [builtIn],
};
const modelled: HearingAssistant = { ...scripted, modelKind: 'openai-compatible', recognisers: [] };
const polish = { language: { iso2: 'pl', name: 'Polish' } };
const keys = { by: 'keys', language: 'English' };

it.each<[string, Partial<HearingAssistant>, HearingAssistant, VoiceHearing[], object]>([
  ['a script is understood by its phrases', {}, scripted, [withPhrases], { by: 'phrases' }],
  ['a script is steered by keys where PocketSphinx is not', {}, scripted, [without], keys],
  ['of two machines the one that understands less counts', {}, scripted, [withPhrases, without], keys],
  ['the phrases are English', polish, scripted, [withPhrases], { by: 'keys', language: 'Polish' }],
  [
    'a provider understands scripts too',
    { recognisers: [deepgram, builtIn] },
    scripted,
    [without],
    { by: 'provider', provider: 'Deepgram', isCertain: true },
  ],
  [
    'a provider that does not know the language is passed over',
    { recognisers: [assembly, deepgram], ...polish },
    modelled,
    [without],
    { by: 'provider', provider: 'Deepgram', isCertain: true },
  ],
  [
    'of a server of models nobody knows whether it transcribes',
    { recognisers: [ollama] },
    modelled,
    [without],
    { by: 'provider', provider: 'Ollama', isCertain: false },
  ],
  ['a model without recogniser is told nothing', {}, modelled, [withPhrases], { by: 'nobody' }],
  [
    'speech to speech hears by itself',
    { mode: 'multimodal', voiceProvider: 'OpenAI' },
    modelled,
    [without],
    { by: 'realtime', provider: 'OpenAI' },
  ],
  ['where no voice process lives, nobody answers', {}, scripted, [], { by: 'no-voice-process' }],
])('%s', (_sentence, change, assistant, processes, expected) => {
  expect(decideRecognition({ ...assistant, ...change }, processes)).toEqual({
    ...expected,
    isByLoudness: false,
  });
});

it('says where speech is told by its loudness', () => {
  expect(decideRecognition(scripted, [withPhrases, byLoudness])).toMatchObject({ isByLoudness: true });
});
