import { expect, it } from 'vitest';
import { describeRemoteRecogniser, openRemote } from '../../../test/conformance/remote-recogniser.ts';
import { AssemblyAiSimulator } from '../../fakes/index.ts';
import { assemblyAiTurn } from '../../fakes/assemblyai-simulator.ts';
import type { StreamingRecogniserOptions } from '../deepgram/nova-recogniser.ts';
import { createAssemblyAiRecogniser } from './assemblyai-recogniser.ts';

const knowing = {
  name: 'AssemblyAI, finding the end of turns',
  simulate: (options: ConstructorParameters<typeof AssemblyAiSimulator>[0]) =>
    new AssemblyAiSimulator(options),
  make: (options: StreamingRecogniserOptions) => createAssemblyAiRecogniser({ ...options, wantsTurns: true }),
  greetings: 1,
};

const subject = {
  ...knowing,
  name: 'AssemblyAI, told of the end of turns',
  make: (options: StreamingRecogniserOptions) =>
    createAssemblyAiRecogniser({ ...options, wantsTurns: false }),
};

describeRemoteRecogniser(knowing);
describeRemoteRecogniser(subject);

it.each([
  ['en', 'universal-streaming-english'],
  ['es', 'universal-streaming-multilingual'],
])('takes the model of the language %s', async (language, model) => {
  const { simulator, stream } = await openRemote(subject, { language });
  const { path, query, authorization } = await simulator.request(0);
  expect({ path, authorization }).toEqual({ path: '/v3/ws', authorization: 'key-that-must-stay-secret' });
  expect(query).toMatchObject({ speech_model: model, sample_rate: '8000', encoding: 'pcm_s16le' });
  stream.close();
});

it('tells a pause, its end, and the end of the turn, once', async () => {
  const text = (words: string, more = {}) => ({ text: words, beginMs: 0, endMs: 500, ...more });
  const end = assemblyAiTurn(text('I need a table', { isEnd: true }));
  const { events, heard, speak, stream } = await openRemote(knowing, {
    timeline: [
      { atMs: 100, message: { type: 'SpeechStarted', timestamp: 100 } },
      { atMs: 200, message: assemblyAiTurn(text('I need', { isPause: true })) },
      { atMs: 300, message: assemblyAiTurn(text('I need a table')) },
      { atMs: 500, message: end },
      { atMs: 600, message: { ...end, transcript: 'I need a table.', turn_is_formatted: true } },
      { atMs: 700, message: assemblyAiTurn(text('please'), 1) },
    ],
  });
  speak();
  await events(7);
  expect(heard).toEqual([
    { type: 'interim', text: 'I need' },
    { type: 'eager-end', confidence: 0.7 },
    { type: 'turn-resumed' },
    { type: 'interim', text: 'I need a table' },
    { type: 'final', text: 'I need a table' },
    { type: 'end-of-turn', confidence: 0.7 },
    { type: 'interim', text: 'please' },
  ]);
  stream.close();
});

it('ends a turn on request, and reports no end by itself', async () => {
  const { heard, final, simulator, speak, stream } = await openRemote(subject, { utterances: ['for two'] });
  speak();
  stream.finalise();
  await final();
  expect(heard).toEqual([{ type: 'final', text: 'for two', endMs: 960 }]);
  expect(simulator.requests[0]?.messages).toEqual([{ type: 'ForceEndpoint' }]);
  stream.close();
});

it.each([
  [1008, 'rejected'],
  [3009, 'unavailable'],
])('passes on the error %i as %s', async (code, kind) => {
  const { events, speak } = await openRemote(subject, {
    timeline: [{ atMs: 100, message: { type: 'Error', error_code: code, error: 'Not so' } }],
  });
  speak();
  expect(await events(1)).toMatchObject([{ type: 'failed', error: { kind } }]);
});
