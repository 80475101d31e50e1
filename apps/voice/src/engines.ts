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
  createLoudness,
  createMoonshineRecogniser,
  FLITE_VOICES,
  openSpeechProvider,
  RECOGNISED_LANGUAGES,
  type BuiltInDetector,
  type FixedSpeech,
  type LanguageModel,
  type Loudness,
  type ProviderDescription,
  type Recogniser,
  type SharedSpeech,
  type SpeechProvider,
} from '@parley/speech';
import { AmbientSounds } from './ambience/ambient-sounds.ts';
import type { RecordedSounds } from './recorded-sounds.ts';
import { CallUsage, type UsedResource } from './usage/call-usage.ts';
import { trunkRateHz } from './trunk-address.ts';

/** The speech engines of one conversation. */
export interface CallEngines extends Pick<
  ConversationOptions,
  'vad' | 'model' | 'synthesiser' | 'recogniser' | 'realtime' | 'fallbacks' | 'recordings'
> {
  /** The usage of the engines so far. */
  usage: CallUsage;
  /** Closes the connections of the call. */
  release(): void;
}

/** The assistant, and the kind of call it speaks in. */
type SpeakingAssistant = AssistantForVoice & Pick<CallForVoice, 'type' | 'trunk'>;

/** Starts with the process, so that the first call does not wait for it. */
export interface Engines extends Service {
  /**
   * @param usage - the usage of the call, when another assistant has spoken before
   * @throws Error before `start`
   * @throws SpeechError `rejected` when a provider does not offer what the assistant names
   */
  forCall(speaker: SpeakingAssistant, usage?: CallUsage): CallEngines;
  /**
   * For a person who is asked something in the course of a call. An assistant with a speech-to-speech model asks with the
   * built-in voice.
   *
   * @param asking - the usage of the call, and the model of the question
   * @throws Error before `start`
   * @throws SpeechError `rejected`
   */
  forPerson(speaker: SpeakingAssistant, asking: { usage: CallUsage; model: LanguageModel }): CallEngines;
  /** The recognition abilities of this process. @throws Error before `start` */
  recognition(): RecognitionSupport;
  /** The ambient sounds. */
  readonly ambientSounds: AmbientSounds;
  /** A model outside a call. @throws SpeechError `rejected` */
  model(access: ProviderAccess): LanguageModel;
}

/** Makes the engines of a process. @param options - without sounds, recorded phrases are spoken by the voice */
export function createEngines(options: { clock: Clock; log: Log; sounds?: RecordedSounds }): Engines {
  const flite = createFliteSynthesiser({ clock: options.clock });
  const ambientSounds = new AmbientSounds({ synthesiser: flite, log: options.log });
  const recogniser = createMoonshineRecogniser(options);
  const shared: SharedSpeech = { clock: options.clock, flite, recogniser };
  const parts: VoiceParts = { shared, fixedSpeech: createFixedSpeech(), loudness: createLoudness() };
  let detector: BuiltInDetector | null = null;
  return {
    async start() {
      // Calls are taken even if the voice is slow to warm up, for example on a busy machine.
      const warmUp = flite.start().catch((error: unknown) => {
        options.log.warn({ err: error }, 'The built-in voice did not warm up');
      });
      [detector] = await Promise.all([createBuiltInDetector(options), warmUp]);
    },
    async stop() {
      await detector?.close();
      await flite.stop();
      await recogniser.close();
    },
    forCall(speaker, usage = new CallUsage()) {
      if (!detector) throw new Error('The engines are not started');
      const model = languageModel(speaker.model, shared, usage);
      const recordings = options.sounds?.of(speaker.recordedPhrases);
      const common = { vad: detector, model, usage, recordings };
      if (speaker.assistant.mode === 'multimodal')
        return { ...common, ...speechToSpeech(speaker, parts, usage) };
      return { ...common, ...pipeline(speaker, parts, usage) };
    },
    forPerson(speaker, { usage, model }) {
      if (!detector) throw new Error('The engines are not started');
      const recordings = options.sounds?.of(speaker.recordedPhrases);
      return { vad: detector, model, usage, recordings, ...personSpeech(speaker, parts, usage) };
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

/** What the voices of all calls share. */
interface VoiceParts {
  shared: SharedSpeech;
  fixedSpeech: FixedSpeech;
  loudness: Loudness;
}

function languageModel(access: ProviderAccess, shared: SharedSpeech, usage: CallUsage): LanguageModel {
  const model = openProvider(access, shared).languageModel(access.wireName);
  // The built-in model follows a script and uses no tokens.
  return access.kind === 'built-in' ? model : usage.model(model, { ...whose(access), llmModelId: access.id });
}

/** A recogniser, a model and a synthesiser. */
function pipeline(speaker: SpeakingAssistant, parts: VoiceParts, usage: CallUsage): Speaking {
  const { shared, fixedSpeech, loudness } = parts;
  const synthesiser = openProvider(speaker.voice, shared).synthesiser();
  const [recogniser, ...otherRecognisers] = recognisersFor(speaker, shared, usage);
  const metered = usage.synthesiser(synthesiser, { ...whose(speaker.voice), voiceId: speaker.voice.id });
  const account = accountOf(speaker.voice);
  return {
    recogniser,
    // Outside of the meter, because speech that was kept costs nothing; it is kept as it came, so that it gets the newest gain.
    synthesiser: loudness.level(fixedSpeech.keepFor(metered, account), account),
    fallbacks: {
      recognisers: otherRecognisers,
      models: speaker.fallbackModels.map((access) => languageModel(access, shared, usage)),
      voices: fallbackVoices(speaker, parts, usage),
    },
    release: () => synthesiser.release?.(),
  };
}

/** Like {@link pipeline}, without other models: the model of a question does not fail. */
function personSpeech(speaker: SpeakingAssistant, parts: VoiceParts, usage: CallUsage): Speaking {
  const { shared, loudness } = parts;
  if (speaker.assistant.mode !== 'multimodal')
    return pipeline({ ...speaker, fallbackModels: [] }, parts, usage);
  const [recogniser, ...recognisers] = recognisersFor(speaker, shared, usage);
  return {
    recogniser,
    synthesiser: loudness.level(shared.flite, BUILT_IN_ACCOUNT),
    fallbacks: { recognisers },
    release: () => {},
  };
}

/** One speech-to-speech model. The built-in voice speaks the texts that the model does not. */
function speechToSpeech(speaker: SpeakingAssistant, parts: VoiceParts, usage: CallUsage): Speaking {
  const { shared, loudness } = parts;
  const realtime = openProvider(speaker.voice, shared).realtimeModel(speaker.voice.wireName);
  const metered = usage.realtime(realtime, { ...whose(speaker.voice), voiceId: speaker.voice.id });
  return {
    realtime: loudness.levelRealtime(metered, accountOf(speaker.voice), speaker.voice.wireName),
    synthesiser: loudness.level(shared.flite, BUILT_IN_ACCOUNT),
    fallbacks: { voices: fallbackVoices(speaker, parts, usage) },
    release: () => {}, // the conversation ends its session itself
  };
}

/** The built-in voices are the same in all calls, also where they replace another voice. */
const BUILT_IN_ACCOUNT = 'built-in';

function accountOf({ kind, providerId, baseUrl }: ProviderAccess): string {
  return kind === 'built-in' ? BUILT_IN_ACCOUNT : `${providerId} ${baseUrl ?? ''}`;
}

function whose({ name, providerId }: ProviderAccess): UsedResource {
  return { name, providerId };
}

/** Browsers use wideband sound, telephone calls what the codecs of their trunk allow. */
const BROWSER_RATE_HZ = 16_000;

/** The recognisers of the call's providers that support its language, best first. */
function recognisersFor(speaker: SpeakingAssistant, shared: SharedSpeech, usage: CallUsage): Recogniser[] {
  const choice = {
    language: speaker.language.iso2,
    sampleRateHz: speaker.type === 'web' ? BROWSER_RATE_HZ : trunkRateHz(speaker.trunk),
    wantsTurns: speaker.assistant.endpointType === 'ai',
  };
  return speaker.recognisers.flatMap((account) => {
    const recogniser = openProvider(account, shared).recogniser(choice);
    const { providerName: name, providerId } = account;
    return recogniser ? usage.recogniser(recogniser, { name, providerId }) : [];
  });
}

/** The built-in voice replaces a hosted one that fails, in the one language that it supports. */
function fallbackVoices(
  { voice, language }: SpeakingAssistant,
  { shared, loudness }: VoiceParts,
  usage: CallUsage,
) {
  if (voice.kind === 'built-in' || language.iso2 !== 'en') return [];
  const metered = usage.synthesiser(shared.flite, { name: 'Built-in voice', providerId: null });
  return [{ synthesiser: loudness.level(metered, BUILT_IN_ACCOUNT), voice: FLITE_VOICES[0] }];
}

function openProvider(access: ProviderAccount, shared: SharedSpeech): SpeechProvider {
  return openSpeechProvider(describe(access), shared);
}

function describe({ kind, baseUrl, ...account }: ProviderAccount): ProviderDescription {
  if (kind === 'built-in') return { kind };
  const { apiKey, transcriptionModel, convertsSampleRate } = account;
  return { kind, baseUrl: baseUrl ?? '', apiKey, transcriptionModel, convertsSampleRate };
}
