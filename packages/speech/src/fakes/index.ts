/** Scripted stand-ins for every port, for tests. Each passes the conformance suite of its port. */
export { createFakeDetector, type FakeDetectorOptions } from './fake-detector.ts';
export {
  createFakeModel,
  fakeSpeech,
  fakeToolCall,
  type FakeAnswer,
  type FakeModel,
  type FakeModelOptions,
} from './fake-model.ts';
export {
  createFakeRealtime,
  type FakeRealtime,
  type FakeRealtimeOptions,
  type FakeSpokenAnswer,
} from './fake-realtime.ts';
export { createFakeRecogniser, type FakeRecogniserOptions } from './fake-recogniser.ts';
export {
  createFakeSynthesiser,
  wordTimes,
  type FakeSynthesiser,
  type FakeSynthesiserOptions,
} from './fake-synthesiser.ts';
export { OpenAiSimulator, type OpenAiSimulatorOptions } from './openai-simulator.ts';
export { SPEACHES_MODELS, SpeachesSimulator, type SpeachesSimulatorOptions } from './speaches-simulator.ts';
export type { SimulatedAnswer } from './openai-wire.ts';
export { OpenAiRealtimeSimulator, type OpenAiRealtimeSimulatorOptions } from './openai-realtime-simulator.ts';
export { GeminiLiveSimulator, type GeminiLiveSimulatorOptions } from './gemini-live-simulator.ts';
export { AnthropicSimulator } from './anthropic-simulator.ts';
export { GoogleSimulator } from './google-simulator.ts';
export { DeepgramSimulator, novaResults, type RecogniserSimulatorOptions } from './deepgram-simulator.ts';
export { AssemblyAiSimulator } from './assemblyai-simulator.ts';
export { ElevenLabsSimulator } from './elevenlabs-simulator.ts';
export { CartesiaSimulator } from './cartesia-simulator.ts';
export type { SimulatedFault } from './simulator/simulated-fault.ts';
export type { SimulatedRequest } from './simulator/simulated-request.ts';
export type { SimulatedTalk } from './simulator/provider-simulator.ts';
