/**
 * From the plain description of a provider, as it is stored, to its instances. One line for each kind of provider;
 * nothing else in the house knows which kinds there are.
 */
import type { Clock } from '@parley/runtime';
import { SpeechError, type LanguageModel, type Recogniser, type Synthesiser } from './ports.ts';
import type { FliteSynthesiser } from './providers/flite/flite-synthesiser.ts';
import { createChatModel } from './providers/openai-compatible/chat-model.ts';
import type { OpenAiEndpoint } from './providers/openai-compatible/endpoint.ts';
import { createSpeechSynthesiser } from './providers/openai-compatible/speech-synthesiser.ts';
import { createTranscriptionRecogniser } from './providers/openai-compatible/transcription-recogniser.ts';
import { createScriptedModel, SCRIPTED_MODEL } from './providers/scripted/scripted-model.ts';

/** Where speech technology comes from. */
export type ProviderDescription =
  | { kind: 'built-in' }
  | {
      kind: 'openai-compatible';
      /** Up to and including the version, for example `http://127.0.0.1:11434/v1`. */
      baseUrl: string;
      /** Null for servers that need none. */
      apiKey: string | null;
    };

/** What all instances of a process share. */
export interface SharedSpeech {
  clock: Clock;
  /** The one Flite of the process; its owner starts and stops it. */
  flite: FliteSynthesiser;
}

/** Speech model of OpenAI-compatible voices that name none (`voice@model`). */
const DEFAULT_SPEECH_MODEL = 'tts-1';

/** One provider. Its instances hold nothing that must be stopped. */
export interface SpeechProvider {
  /**
   * @param name - the provider's own name of the model
   * @throws SpeechError `rejected` for a model the provider cannot have
   */
  languageModel(name: string): LanguageModel;
  /** Voices are named when they speak. */
  synthesiser(): Synthesiser;
  /** @returns null where the provider has none: speech then stays unrecognised */
  recogniser(name: string): Recogniser | null;
}

/** Opens the provider of a description. Asks nothing of the network. */
export function openSpeechProvider(
  description: ProviderDescription,
  { clock, flite }: SharedSpeech,
): SpeechProvider {
  switch (description.kind) {
    case 'built-in':
      return { languageModel: builtInModel, synthesiser: () => flite, recogniser: () => null };
    case 'openai-compatible':
      return openAiCompatible(description, clock);
    default:
      return unknownKind(description);
  }
}

function builtInModel(name: string): LanguageModel {
  if (name === SCRIPTED_MODEL) return createScriptedModel();
  throw new SpeechError('rejected', `There is no built-in model named "${name}"`);
}

function openAiCompatible(endpoint: OpenAiEndpoint, clock: Clock): SpeechProvider {
  return {
    languageModel: (model) => createChatModel({ endpoint, model, clock }),
    synthesiser: () => createSpeechSynthesiser({ endpoint, model: DEFAULT_SPEECH_MODEL, clock }),
    recogniser: (model) => createTranscriptionRecogniser({ endpoint, model, clock }),
  };
}

/** A description from a database that a newer version has written. Its key must not get into the message. */
function unknownKind(description: never): never {
  throw new SpeechError('rejected', `Unknown kind of provider: ${(description as ProviderDescription).kind}`);
}
