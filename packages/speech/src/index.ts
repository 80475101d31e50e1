/** Speech technology behind ports: detection, recognition, language models and synthesis. Contains nothing about calls. */
export {
  SpeechError,
  type DialogueEntry,
  type LanguageModel,
  type LanguageModelEvent,
  type LanguageModelRequest,
  type RealtimeEvent,
  type RealtimeModel,
  type RealtimeOptions,
  type RealtimePiece,
  type RealtimeSession,
  type Recogniser,
  type RecogniserEvent,
  type RecogniserStream,
  type SpeakOptions,
  type Synthesiser,
  type TimedWord,
  type TokenUsage,
  type ToolDefinition,
  type VoiceActivityDetector,
  type VoiceActivityStream,
} from './ports.ts';
export {
  openSpeechProvider,
  type ProviderDescription,
  type RecogniserChoice,
  type RemoteProviderKind,
  type SharedSpeech,
  type SpeechProvider,
} from './registry.ts';
export { createLoudness, type Loudness } from './loudness/loudness.ts';
export { RECOGNISED_LANGUAGES, type RecognisedLanguages } from './recognised-languages.ts';
export { createBuiltInDetector, type BuiltInDetector } from './providers/built-in-detector.ts';
export { createFixedSpeech, type FixedSpeech } from './providers/fixed-speech.ts';
export { SoundCache } from './providers/flite/sound-cache.ts';
export { FLITE_VOICES, type FliteVoice } from './providers/flite/flite-engine.ts';
export { createFliteSynthesiser, type FliteSynthesiser } from './providers/flite/flite-synthesiser.ts';
export { createMoonshineRecogniser } from './providers/moonshine/moonshine-recogniser.ts';
export { SCRIPTED_MODEL } from './providers/scripted/scripted-model.ts';
