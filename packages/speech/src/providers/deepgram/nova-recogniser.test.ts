import { expect, it } from 'vitest';
import { describeRemoteRecogniser, openRemote } from '../../../test/conformance/remote-recogniser.ts';
import { DeepgramSimulator } from '../../fakes/index.ts';
import { novaResults } from '../../fakes/deepgram-simulator.ts';
import { createNovaRecogniser } from './nova-recogniser.ts';

const subject = {
  name: 'Deepgram Nova',
  simulate: (options: ConstructorParameters<typeof DeepgramSimulator>[0]) => new DeepgramSimulator(options),
  make: createNovaRecogniser,
  greetings: 0,
};

describeRemoteRecogniser(subject);

it('asks for the words of raw sound at the rate of the line, in the language of the call', async () => {
  const { simulator } = await openRemote(subject, { language: 'de' });
  const { path, query, authorization } = await simulator.request(0);
  expect({ path, authorization }).toEqual({
    path: '/v1/listen',
    authorization: 'Token key-that-must-stay-secret',
  });
  expect(query).toMatchObject({
    model: 'nova-3',
    language: 'de',
    encoding: 'linear16',
    sample_rate: '8000',
    interim_results: 'true',
    utterance_end_ms: '1000',
  });
});

it('reports interims, finals that come by themselves at pauses, and the gap after the words', async () => {
  const half = { text: 'tomorrow at', beginMs: 0, endMs: 400 };
  const whole = { text: 'tomorrow at nine', beginMs: 0, endMs: 800 };
  const { events, speak, stream } = await openRemote(subject, {
    timeline: [
      { atMs: 300, message: { type: 'SpeechStarted', channel: [0, 1], timestamp: 0.1 } },
      { atMs: 400, message: novaResults(half) },
      { atMs: 600, message: novaResults({ text: '', beginMs: 0, endMs: 600 }) },
      { atMs: 800, message: { ...novaResults(whole), is_final: true, speech_final: true } },
      { atMs: 1000, message: { type: 'UtteranceEnd', channel: [0, 1], last_word_end: 0.8 } },
    ],
  });
  speak();
  expect(await events(3)).toEqual([
    { type: 'interim', text: 'tomorrow at' },
    { type: 'final', text: 'tomorrow at nine', endMs: 800 },
    { type: 'word-gap' },
  ]);
  stream.close();
});

it('keeps a line without sound open', async () => {
  const { clock, simulator, speak, stream } = await openRemote(subject);
  speak();
  await simulator.until(() => simulator.requests[0]?.soundBytes === 16_000);
  clock.advance(4000);
  expect(simulator.requests[0]?.messages).toEqual([]);
  clock.advance(4000);
  await simulator.until(() => simulator.requests[0]?.messages.length === 1);
  expect(simulator.requests[0]?.messages).toEqual([{ type: 'KeepAlive' }]);
  stream.close();
});
