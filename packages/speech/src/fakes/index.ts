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
export { createFakeRecogniser, type FakeRecogniserOptions } from './fake-recogniser.ts';
export {
  createFakeSynthesiser,
  type FakeSynthesiser,
  type FakeSynthesiserOptions,
} from './fake-synthesiser.ts';
export {
  OpenAiSimulator,
  type OpenAiSimulatorOptions,
  type SimulatedFault,
  type SimulatedRequest,
} from './openai-simulator.ts';
export type { SimulatedAnswer } from './openai-wire.ts';
