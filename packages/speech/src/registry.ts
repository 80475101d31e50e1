/**
 * Creates providers from their stored descriptions. One line for each kind of provider; no other code depends on the list of
 * kinds.
 */
import type { Clock } from '@parley/runtime';
import {
  SpeechError,
  type LanguageModel,
  type RealtimeModel,
  type Recogniser,
  type Synthesiser,
} from './ports.ts';
import { createAnthropicModel } from './providers/anthropic/anthropic-model.ts';
import {
  createAssemblyAiRecogniser,
  isAssemblyAiLanguage,
} from './providers/assemblyai/assemblyai-recogniser.ts';
import { createCartesiaSynthesiser } from './providers/cartesia/cartesia-synthesiser.ts';
import { createAuraSynthesiser } from './providers/deepgram/aura-synthesiser.ts';
import { createFluxRecogniser, isFluxLanguage } from './providers/deepgram/flux-recogniser.ts';
import { createNovaRecogniser } from './providers/deepgram/nova-recogniser.ts';
import { createElevenLabsSynthesiser } from './providers/elevenlabs/elevenlabs-synthesiser.ts';
import type { FliteSynthesiser } from './providers/flite/flite-synthesiser.ts';
import { createGeminiLive } from './providers/gemini-live/gemini-live.ts';
import { createGoogleModel } from './providers/google/google-model.ts';
import { createChatModel } from './providers/openai-compatible/chat-model.ts';
import { createSpeechSynthesiser } from './providers/openai-compatible/speech-synthesiser.ts';
import { createTranscriptionRecogniser } from './providers/openai-compatible/transcription-recogniser.ts';
import { createOpenAiRealtime } from './providers/openai-realtime/openai-realtime.ts';
import type { ProviderAccount } from './providers/provider-account.ts';
import { createScriptedModel, SCRIPTED_MODEL } from './providers/scripted/scripted-model.ts';

/** Kinds of provider that are reached over the network. Those of core's `providers` table, by the same names. */
export type RemoteProviderKind = keyof typeof REMOTE_PROVIDERS;

/** Where speech technology comes from. */
export type ProviderDescription =
  | { kind: 'built-in' }
  | ({
      kind: RemoteProviderKind;
    } & ProviderAccount);

/** What all instances of a process share. */
export interface SharedSpeech {
  clock: Clock;
  /** The one Flite of the process; its owner starts and stops it. */
  flite: FliteSynthesiser;
  /** The one built-in recogniser, of English. Its owner closes it. */
  recogniser: Recogniser;
}

/** What a recogniser is chosen by. */
export interface RecogniserChoice {
  /** Two-letter code. */
  language: string;
  /** The rate of the line, which adapters use without resampling if they can. */
  sampleRateHz: number;
  /** Whether the provider should detect the end of a turn by its meaning, if it can. */
  wantsTurns: boolean;
}

/** One provider. Its instances hold nothing that must be stopped but what {@link Synthesiser.release} lets go. */
export interface SpeechProvider {
  /**
   * @param name - the provider's own name of the model
   * @throws SpeechError `rejected` for a model that the provider does not offer
   */
  languageModel(name: string): LanguageModel;
  /**
   * For one call. Voices are named when they speak.
   *
   * @throws SpeechError `rejected` if the provider has none
   */
  synthesiser(): Synthesiser;
  /**
   * Speech to speech. For one call.
   *
   * @param voiceName - `voice@model`, by the provider's own names
   * @throws SpeechError `rejected` if the provider has none
   */
  realtimeModel(voiceName: string): RealtimeModel;
  /** @returns null if the provider does not support this language: speech then stays unrecognised */
  recogniser(choice: RecogniserChoice): Recogniser | null;
}

/** The languages of the built-in recogniser. */
export const BUILT_IN_LANGUAGES: readonly string[] = ['en'];
/** Speech model of OpenAI-compatible voices that name none (`voice@model`). */
const DEFAULT_SPEECH_MODEL = 'tts-1';
/** The name under which servers that speak OpenAI's interface offer transcription, where no other one is known. */
const TRANSCRIPTION_MODEL = 'whisper-1';
/** OpenAI's own better one. */
const OPENAI_TRANSCRIPTION_MODEL = 'gpt-4o-mini-transcribe';

/** Creates the parts that a provider offers; the others reject. */
type Opening = (account: ProviderAccount, clock: Clock) => Partial<SpeechProvider>;

const openAi =
  (transcriptionModel: string): Opening =>
  (account, clock) => ({
    languageModel: (model) => createChatModel({ account, model, clock }),
    synthesiser: () => createSpeechSynthesiser({ account, model: DEFAULT_SPEECH_MODEL, clock }),
    recogniser: () =>
      createTranscriptionRecogniser({
        account,
        model: account.transcriptionModel ?? transcriptionModel,
        clock,
      }),
    realtimeModel: (voiceName) => createOpenAiRealtime({ account, clock, ...realtimeChoice(voiceName) }),
  });

/** Speech models of a kind come with a voice: both are named at once. */
function realtimeChoice(voiceName: string): { voice: string; model: string } {
  const [voice = '', model = ''] = voiceName.split('@');
  if (voice === '' || model === '')
    throw new SpeechError('rejected', `"${voiceName}" is not a voice and model of speech to speech`);
  return { voice, model };
}

const REMOTE_PROVIDERS = {
  openai: openAi(OPENAI_TRANSCRIPTION_MODEL),
  'openai-compatible': openAi(TRANSCRIPTION_MODEL),
  anthropic: (account, clock) => ({
    languageModel: (model) => createAnthropicModel({ account, model, clock }),
  }),
  google: (account, clock) => ({
    languageModel: (model) => createGoogleModel({ account, model, clock }),
    realtimeModel: (voiceName) => createGeminiLive({ account, clock, ...realtimeChoice(voiceName) }),
  }),
  deepgram: (account, clock) => ({
    synthesiser: () => createAuraSynthesiser({ account, clock }),
    recogniser: ({ language, sampleRateHz, wantsTurns }) =>
      wantsTurns && isFluxLanguage(language)
        ? createFluxRecogniser({ account, clock, sampleRateHz })
        : createNovaRecogniser({ account, clock, sampleRateHz }),
  }),
  assemblyai: (account, clock) => ({
    recogniser: ({ language, sampleRateHz, wantsTurns }) =>
      isAssemblyAiLanguage(language)
        ? createAssemblyAiRecogniser({ account, clock, sampleRateHz, wantsTurns })
        : null,
  }),
  elevenlabs: (account, clock) => ({
    synthesiser: () => createElevenLabsSynthesiser({ account, clock }),
  }),
  cartesia: (account, clock) => ({
    synthesiser: () => createCartesiaSynthesiser({ account, clock }),
  }),
} satisfies Record<string, Opening>;

/**
 * Opens the provider of a description. Does not use the network.
 *
 * @throws SpeechError `rejected` for a kind that this version does not know
 */
export function openSpeechProvider(description: ProviderDescription, shared: SharedSpeech): SpeechProvider {
  const { kind } = description;
  if (kind === 'built-in') return builtIn(shared);
  if (!Object.hasOwn(REMOTE_PROVIDERS, kind))
    // From a database that a newer version has written. The key must not get into the message.
    throw new SpeechError('rejected', `Unknown kind of provider: ${kind as string}`);
  return { ...unsupportedBy(kind), ...REMOTE_PROVIDERS[kind](description, shared.clock) };
}

function unsupportedBy(kind: string): SpeechProvider {
  const refuse = (what: string) => () => {
    throw new SpeechError('rejected', `The provider "${kind}" has no ${what}`);
  };
  return {
    languageModel: refuse('models'),
    synthesiser: refuse('voices'),
    realtimeModel: refuse('speech to speech'),
    recogniser: () => null,
  };
}

function builtIn({ flite, recogniser }: SharedSpeech): SpeechProvider {
  return {
    ...unsupportedBy('built-in'),
    languageModel: builtInModel,
    synthesiser: () => flite,
    recogniser: ({ language }) => (BUILT_IN_LANGUAGES.includes(language) ? recogniser : null),
  };
}

function builtInModel(name: string): LanguageModel {
  if (name === SCRIPTED_MODEL) return createScriptedModel();
  throw new SpeechError('rejected', `There is no built-in model named "${name}"`);
}
