/**
 * The speech engines of this process: one voice activity detector and one built-in voice for all calls, and for each call
 * the model and voice of its assistant, the best available recogniser, and fallbacks for all of them.
 */
import type { ConversationOptions } from '@parley/conversation';
import type {
  AssistantForVoice,
  CallForVoice,
  ProviderAccess,
  ProviderAccount,
  RecognitionSupport,
} from '@parley/core';
import type { Clock, Log, Service } from '@parley/runtime';
import {
  createBuiltInDetector,
  createFixedSpeech,
  createFliteSynthesiser,
  createMoonshineRecogniser,
  FLITE_VOICES,
  openSpeechProvider,
  RECOGNISED_LANGUAGES,
  type BuiltInDetector,
  type FixedSpeech,
  type FliteSynthesiser,
  type LanguageModel,
  type ProviderDescription,
  type Recogniser,
  type SharedSpeech,
  type SpeechProvider,
} from '@parley/speech';
import { AmbientSounds } from './ambience/ambient-sounds.ts';
import { CallUsage, type UsedResource } from './usage/call-usage.ts';

/** The speech engines of one conversation. */
export interface CallEngines extends Pick<
  ConversationOptions,
  'vad' | 'model' | 'synthesiser' | 'recogniser' | 'realtime' | 'fallbacks'
> {
  /** Their usage so far. */
  usage: CallUsage;
  /** Closes the connections of the call. */
  release(): void;
}

/** The assistant, and the kind of call it speaks in. */
type SpeakingAssistant = AssistantForVoice & Pick<CallForVoice, 'type'>;

/** Starts with the process, so that the first call does not wait for it. */
export interface Engines extends Service {
  /**
   * @param usage - the usage of the call, when another assistant has spoken before
   * @throws Error before `start`
   * @throws SpeechError `rejected` when a provider does not offer what the assistant names
   */
  forCall(speaker: SpeakingAssistant, usage?: CallUsage): CallEngines;
  /** The recognition abilities of this process. @throws Error before `start` */
  recognition(): RecognitionSupport;
  /** The ambient sounds. */
  readonly ambientSounds: AmbientSounds;
  /** A model outside a call. @throws SpeechError `rejected` */
  model(access: ProviderAccess): LanguageModel;
}

/** Makes the engines of a process. */
export function createEngines(options: { clock: Clock; log: Log }): Engines {
  const flite = createFliteSynthesiser({ clock: options.clock });
  const ambientSounds = new AmbientSounds({ synthesiser: flite, log: options.log });
  const recogniser = createMoonshineRecogniser(options);
  const fixedSpeech = createFixedSpeech();
  const shared: SharedSpeech = { clock: options.clock, flite, recogniser };
  let detector: BuiltInDetector | null = null;
  return {
    async start() {
      [detector] = await Promise.all([createBuiltInDetector(options), flite.start()]);
    },
    async stop() {
      await detector?.close();
      await flite.stop();
      await recogniser.close();
    },
    forCall(speaker, usage = new CallUsage()) {
      if (!detector) throw new Error('The engines are not started');
      const model = languageModel(speaker.model, shared, usage);
      const common = { vad: detector, model, usage };
      if (speaker.assistant.mode === 'multimodal')
        return { ...common, ...speechToSpeech(speaker, shared, usage) };
      return { ...common, ...pipeline(speaker, { shared, fixedSpeech }, usage) };
    },
    recognition() {
      if (!detector) throw new Error('The engines are not started');
      return { detector: detector.kind, recognisedLanguages: RECOGNISED_LANGUAGES };
    },
    ambientSounds,
    model: (access) => openProvider(access, shared).languageModel(access.wireName),
  };
}

type Speaking = Omit<CallEngines, 'vad' | 'model' | 'usage'>;

function languageModel(access: ProviderAccess, shared: SharedSpeech, usage: CallUsage): LanguageModel {
  const model = openProvider(access, shared).languageModel(access.wireName);
  // The built-in model follows a script and uses no tokens.
  return access.kind === 'built-in' ? model : usage.model(model, { ...whose(access), llmModelId: access.id });
}

/** A recogniser, a model and a synthesiser. */
function pipeline(
  speaker: SpeakingAssistant,
  { shared, fixedSpeech }: { shared: SharedSpeech; fixedSpeech: FixedSpeech },
  usage: CallUsage,
): Speaking {
  const synthesiser = openProvider(speaker.voice, shared).synthesiser();
  const [recogniser, ...otherRecognisers] = recognisersFor(speaker, shared, usage);
  const metered = usage.synthesiser(synthesiser, { ...whose(speaker.voice), voiceId: speaker.voice.id });
  return {
    recogniser,
    // Outside of the meter, because speech that was kept costs nothing.
    synthesiser: fixedSpeech.keepFor(metered, accountOf(speaker.voice)),
    fallbacks: {
      recognisers: otherRecognisers,
      models: speaker.fallbackModels.map((access) => languageModel(access, shared, usage)),
      voices: fallbackVoices(speaker, shared.flite, usage),
    },
    release: () => synthesiser.release?.(),
  };
}

/** One speech-to-speech model. The built-in voice speaks the texts that the model does not. */
function speechToSpeech(speaker: SpeakingAssistant, shared: SharedSpeech, usage: CallUsage): Speaking {
  const realtime = openProvider(speaker.voice, shared).realtimeModel(speaker.voice.wireName);
  return {
    realtime: usage.realtime(realtime, { ...whose(speaker.voice), voiceId: speaker.voice.id }),
    synthesiser: shared.flite,
    fallbacks: { voices: fallbackVoices(speaker, shared.flite, usage) },
    release: () => {}, // the conversation ends its session itself
  };
}

function accountOf({ providerId, baseUrl }: ProviderAccess): string {
  return `${providerId} ${baseUrl ?? ''}`;
}

function whose({ name, providerId }: ProviderAccess): UsedResource {
  return { name, providerId };
}

/** Telephone calls use narrowband sound, browsers wideband. */
const TELEPHONE_RATE_HZ = 8000;
const BROWSER_RATE_HZ = 16_000;

/** The recognisers of the call's providers that support its language, best first. */
function recognisersFor(speaker: SpeakingAssistant, shared: SharedSpeech, usage: CallUsage): Recogniser[] {
  const choice = {
    language: speaker.language.iso2,
    sampleRateHz: speaker.type === 'web' ? BROWSER_RATE_HZ : TELEPHONE_RATE_HZ,
    wantsTurns: speaker.assistant.endpointType === 'ai',
  };
  return speaker.recognisers.flatMap((account) => {
    const recogniser = openProvider(account, shared).recogniser(choice);
    const { providerName: name, providerId } = account;
    return recogniser ? usage.recogniser(recogniser, { name, providerId }) : [];
  });
}

/** The built-in voice replaces a hosted one that fails, in the one language that it supports. */
function fallbackVoices({ voice, language }: SpeakingAssistant, flite: FliteSynthesiser, usage: CallUsage) {
  if (voice.kind === 'built-in' || language.iso2 !== 'en') return [];
  const synthesiser = usage.synthesiser(flite, { name: 'Built-in voice', providerId: null });
  return [{ synthesiser, voice: FLITE_VOICES[0] }];
}

function openProvider(access: ProviderAccount, shared: SharedSpeech): SpeechProvider {
  return openSpeechProvider(describe(access), shared);
}

function describe({ kind, baseUrl, apiKey }: ProviderAccount): ProviderDescription {
  return kind === 'built-in' ? { kind } : { kind, baseUrl: baseUrl ?? '', apiKey };
}
