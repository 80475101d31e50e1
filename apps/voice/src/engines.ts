/**
 * The speech technology of this process: one voice activity detector and one built-in voice for all calls, and per call
 * the model, voice and recogniser that its assistant names.
 */
import type { ConversationOptions } from '@parley/conversation';
import type { CallForVoice, ProviderAccess } from '@parley/core';
import type { Clock, Log, Service } from '@parley/runtime';
import {
  createBuiltInDetector,
  createFliteSynthesiser,
  openSpeechProvider,
  type BuiltInDetector,
  type ProviderDescription,
  type SharedSpeech,
  type SpeechProvider,
} from '@parley/speech';

/** What a conversation needs of speech. */
export type CallEngines = Pick<ConversationOptions, 'vad' | 'model' | 'synthesiser' | 'recogniser'>;

/** Starts with the process, so that the first call does not wait for it. */
export interface Engines extends Service {
  /**
   * @throws Error before `start`
   * @throws SpeechError `rejected` when the assistant names something its provider does not have
   */
  forCall(call: CallForVoice): CallEngines;
}

/** Makes the engines of a process. */
export function createEngines(options: { clock: Clock; log: Log }): Engines {
  const flite = createFliteSynthesiser({ clock: options.clock });
  const shared: SharedSpeech = { clock: options.clock, flite };
  let detector: BuiltInDetector | null = null;
  return {
    async start() {
      [detector] = await Promise.all([createBuiltInDetector(options), flite.start()]);
    },
    async stop() {
      await detector?.close();
      await flite.stop();
    },
    forCall({ model, voice }) {
      if (!detector) throw new Error('The engines are not started');
      const thinking = openProvider(model, shared);
      return {
        vad: detector,
        model: thinking.languageModel(model.wireName),
        // Who gives the model hears best what it is asked; a provider of recognition alone comes with provider accounts.
        recogniser: thinking.recogniser(RECOGNITION_MODEL) ?? undefined,
        synthesiser: openProvider(voice, shared).synthesiser(),
      };
    },
  };
}

/** The name under which OpenAI-compatible servers offer transcription. */
const RECOGNITION_MODEL = 'whisper-1';

function openProvider(access: ProviderAccess, shared: SharedSpeech): SpeechProvider {
  return openSpeechProvider(describe(access), shared);
}

function describe({ kind, baseUrl, apiKey }: ProviderAccess): ProviderDescription {
  return kind === 'built-in' ? { kind } : { kind, baseUrl: baseUrl ?? '', apiKey };
}
