/**
 * The speech technology of this process: one voice activity detector and one built-in voice for all calls, and per call
 * the model and voice that its assistant names, the best recogniser that there is, and who takes over when they fail.
 */
import type { ConversationOptions } from '@parley/conversation';
import type {
  AssistantForVoice,
  CallForVoice,
  ProviderAccess,
  ProviderAccount,
  VoiceHearing,
} from '@parley/core';
import type { Clock, Log, Service } from '@parley/runtime';
import {
  createBuiltInDetector,
  createFliteSynthesiser,
  createNoiseFilter,
  createPhraseRecogniser,
  FLITE_VOICES,
  openSpeechProvider,
  recognisedLanguages,
  type BuiltInDetector,
  type FliteSynthesiser,
  type LanguageModel,
  type NoiseFilter,
  type ProviderDescription,
  type Recogniser,
  type SharedSpeech,
  type SpeechProvider,
} from '@parley/speech';
import { Rooms } from './ambience/rooms.ts';
import { CallUsage, type UsedResource } from './usage/call-usage.ts';

/** What a conversation needs of speech. */
export interface CallEngines extends Pick<
  ConversationOptions,
  'vad' | 'model' | 'synthesiser' | 'recogniser' | 'realtime' | 'fallbacks'
> {
  /** What they were used for so far. */
  usage: CallUsage;
  /** The call is over: lets go of the connections that it held. */
  release(): void;
}

/** Whose conversation it is, and on what kind of line. */
type SpeakingParty = AssistantForVoice & Pick<CallForVoice, 'type'>;

/** Starts with the process, so that the first call does not wait for it. */
export interface Engines extends Service {
  /**
   * @param usage - the account of a call that has had another assistant before
   * @throws Error before `start`
   * @throws SpeechError `rejected` when the assistant names something its provider does not have
   */
  forCall(party: SpeakingParty, usage?: CallUsage): CallEngines;
  /** What this process can hear by. @throws Error before `start` */
  hearing(): VoiceHearing;
  /** For recordings; starts with the first of them. */
  readonly noise: NoiseFilter;
  /** The ambient sounds. */
  readonly rooms: Rooms;
  /** A model outside a call. @throws SpeechError `rejected` */
  model(access: ProviderAccess): LanguageModel;
}

/** Makes the engines of a process. */
export function createEngines(options: { clock: Clock; log: Log }): Engines {
  const flite = createFliteSynthesiser({ clock: options.clock });
  const rooms = new Rooms({ synthesiser: flite, log: options.log });
  const phrases = createPhraseRecogniser(options);
  const noise = createNoiseFilter(options);
  const shared: SharedSpeech = { clock: options.clock, flite, phrases };
  let detector: BuiltInDetector | null = null;
  return {
    async start() {
      [detector] = await Promise.all([createBuiltInDetector(options), flite.start()]);
      tellWhatIsUnderstood(options.log, phrases !== null);
    },
    async stop() {
      await detector?.close();
      await flite.stop();
      await phrases?.close();
      await noise.stop();
    },
    forCall(party, usage = new CallUsage()) {
      if (!detector) throw new Error('The engines are not started');
      const plain = openProvider(party.model, shared).languageModel(party.model.wireName);
      // The built-in one follows a script and counts no tokens.
      const isBuiltIn = party.model.kind === 'built-in';
      const model = isBuiltIn
        ? plain
        : usage.model(plain, { ...whose(party.model), llmModelId: party.model.id });
      const common = { vad: detector, model, usage };
      if (party.assistant.mode === 'multimodal')
        return { ...common, ...speechToSpeech(party, shared, usage) };
      return { ...common, ...pipeline(party, shared, usage) };
    },
    hearing() {
      if (!detector) throw new Error('The engines are not started');
      return { detector: detector.kind, recognisedLanguages: recognisedLanguages(phrases !== null) };
    },
    noise,
    rooms,
    model: (access) => openProvider(access, shared).languageModel(access.wireName),
  };
}

type Speaking = Omit<CallEngines, 'vad' | 'model' | 'usage'>;

/** One hears, one speaks. */
function pipeline(party: SpeakingParty, shared: SharedSpeech, usage: CallUsage): Speaking {
  const synthesiser = openProvider(party.voice, shared).synthesiser();
  const [recogniser, ...otherRecognisers] = recognisersFor(party, shared, usage);
  return {
    recogniser,
    synthesiser: usage.synthesiser(synthesiser, { ...whose(party.voice), voiceId: party.voice.id }),
    fallbacks: { recognisers: otherRecognisers, voices: fallbackVoices(party, shared.flite, usage) },
    release: () => synthesiser.release?.(),
  };
}

/** One provider hears, thinks and speaks. The built-in voice reads out what it does not. */
function speechToSpeech(party: SpeakingParty, shared: SharedSpeech, usage: CallUsage): Speaking {
  const realtime = openProvider(party.voice, shared).realtimeModel(party.voice.wireName);
  return {
    realtime: usage.realtime(realtime, { ...whose(party.voice), voiceId: party.voice.id }),
    synthesiser: shared.flite,
    fallbacks: { voices: fallbackVoices(party, shared.flite, usage) },
    release: () => {}, // the conversation ends its session itself
  };
}

function whose({ name, providerId }: ProviderAccess): UsedResource {
  return { name, providerId };
}

/** What telephone lines carry; browsers send more. */
const TELEPHONE_RATE_HZ = 8000;
const BROWSER_RATE_HZ = 16_000;

/** Those of the call's providers that know its language, best first. */
function recognisersFor(party: SpeakingParty, shared: SharedSpeech, usage: CallUsage): Recogniser[] {
  const choice = {
    language: party.language.iso2,
    sampleRateHz: party.type === 'web' ? BROWSER_RATE_HZ : TELEPHONE_RATE_HZ,
    wantsTurns: party.assistant.endpointType === 'ai',
  };
  return party.recognisers.flatMap((account) => {
    const recogniser = openProvider(account, shared).recogniser(choice);
    const { providerName: name, providerId } = account;
    return recogniser ? usage.recogniser(recogniser, { name, providerId }) : [];
  });
}

/** The built-in voice speaks on where a hosted one fails, in the one language that it has. */
function fallbackVoices({ voice, language }: SpeakingParty, flite: FliteSynthesiser, usage: CallUsage) {
  if (voice.kind === 'built-in' || language.iso2 !== 'en') return [];
  const synthesiser = usage.synthesiser(flite, { name: 'Built-in voice', providerId: null });
  return [{ synthesiser, voice: FLITE_VOICES[0] }];
}

/** What a new operator wonders about first: why does the built-in assistant not understand me? */
function tellWhatIsUnderstood(log: Log, hasPhrases: boolean): void {
  if (hasPhrases) return log.info('Scripted dialogues understand keys and the phrases of their script');
  log.info(
    'Scripted dialogues understand keys only; for phrases install the packages pocketsphinx and pocketsphinx-en-us',
  );
}

function openProvider(access: ProviderAccount, shared: SharedSpeech): SpeechProvider {
  return openSpeechProvider(describe(access), shared);
}

function describe({ kind, baseUrl, apiKey }: ProviderAccount): ProviderDescription {
  return kind === 'built-in' ? { kind } : { kind, baseUrl: baseUrl ?? '', apiKey };
}
