import { expect, it } from 'vitest';
import { describeRemoteRecogniser, openRemote } from '../../../test/conformance/remote-recogniser.ts';
import { DeepgramSimulator } from '../../fakes/index.ts';
import { fluxTurn } from '../../fakes/deepgram-simulator.ts';
import { createFluxRecogniser, isFluxLanguage } from './flux-recogniser.ts';

const subject = {
  name: 'Deepgram Flux',
  simulate: (options: ConstructorParameters<typeof DeepgramSimulator>[0]) => new DeepgramSimulator(options),
  make: createFluxRecogniser,
  greetings: 1,
};

describeRemoteRecogniser(subject);

it.each([
  ['en-GB', { model: 'flux-general-en' }],
  ['de', { model: 'flux-general-multi', language_hint: 'de' }],
])('takes the model of the language %s', async (language, expected) => {
  const { simulator, stream } = await openRemote(subject, { language });
  const { path, query } = await simulator.request(0);
  expect(path).toBe('/v2/listen');
  expect(query).toMatchObject({ ...expected, sample_rate: '8000', encoding: 'linear16' });
  stream.close();
});

it('tells an early end, its withdrawal, and the end of the turn', async () => {
  const text = (words: string, endMs: number) => ({ text: words, beginMs: 0, endMs });
  const { events, speak, stream } = await openRemote(subject, {
    timeline: [
      { atMs: 200, message: fluxTurn('StartOfTurn', text('I', 200)) },
      { atMs: 300, message: fluxTurn('EagerEndOfTurn', text('I need', 300)) },
      { atMs: 400, message: fluxTurn('TurnResumed', text('I need a', 400)) },
      { atMs: 500, message: fluxTurn('Update', text('I need a table', 500)) },
      { atMs: 600, message: fluxTurn('EagerEndOfTurn', text('I need a table', 500)) },
      { atMs: 700, message: { ...fluxTurn('EndOfTurn', text('I need a table', 500)), trigger: 'model' } },
    ],
  });
  speak();
  expect(await events(10)).toEqual([
    { type: 'interim', text: 'I' },
    { type: 'interim', text: 'I need' },
    { type: 'eager-end', confidence: 0.8 },
    { type: 'turn-resumed' },
    { type: 'interim', text: 'I need a' },
    { type: 'interim', text: 'I need a table' },
    { type: 'interim', text: 'I need a table' },
    { type: 'eager-end', confidence: 0.8 },
    { type: 'final', text: 'I need a table' },
    { type: 'end-of-turn', confidence: 0.8 },
  ]);
  stream.close();
});

it('answers a pause with the words so far, and goes on with the same turn', async () => {
  const text = (words: string, endMs: number) => ({ text: words, beginMs: 0, endMs });
  const { heard, events, simulator, speak, stream } = await openRemote(subject, {
    timeline: [
      { atMs: 800, message: fluxTurn('Update', text('my name', 800)) },
      { atMs: 960, message: fluxTurn('Update', text('my name is', 960)) },
      { atMs: 1600, message: fluxTurn('EagerEndOfTurn', text('my name is Ann', 1600)) },
      { atMs: 1920, message: fluxTurn('EndOfTurn', text('my name is Ann', 1920)) },
    ],
  });
  speak();
  stream.finalise();
  await events(2);
  speak();
  stream.finalise();
  await events(5);
  expect(heard).toEqual([
    { type: 'interim', text: 'my name' },
    { type: 'final', text: 'my name is', endMs: 1000 },
    { type: 'final', text: 'Ann', endMs: 2000 },
    { type: 'eager-end', confidence: 0.8 },
    { type: 'end-of-turn', confidence: 0.8 },
  ]);
  expect(simulator.requests[0]?.messages).toEqual([]);
  stream.close();
});

it('passes on a fatal error', async () => {
  const { events, speak } = await openRemote(subject, {
    timeline: [
      {
        atMs: 100,
        message: { type: 'Error', code: 'INTERNAL', description: 'Out of order', sequence_id: 2 },
      },
    ],
  });
  speak();
  expect(await events(1)).toMatchObject([
    {
      type: 'failed',
      error: { kind: 'unavailable', message: expect.stringContaining('Out of order') as string },
    },
  ]);
});

it('lists its languages', () => {
  expect(['en', 'en-US', 'de', 'pl'].map(isFluxLanguage)).toEqual([true, true, true, false]);
});
