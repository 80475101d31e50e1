/** Recordings of fixed sentences. The fake voice needs 50 ms for a character, so a recording is told by its length. */
import { expect, it } from 'vitest';
import { fakeSpeech } from '@parley/speech/fakes';
import { Scenario } from '../test/scenario.ts';

const SECOND = 8000;
const GREETING = 'Good morning. This is Anna. How are you?';

function setup(
  texts: string[],
  soundOf: () => Int16Array | null = () => new Int16Array(2 * SECOND).fill(500),
) {
  return new Scenario({
    settings: { initialMessage: GREETING, reEngagementIntervalSeconds: 3 },
    answers: [fakeSpeech('Are you there? Call us.')],
    recordings: { texts, soundOf: async () => soundOf() },
  });
}

/** Milliseconds of sound in a turn. */
function soundMs(call: Scenario, number: number): number {
  const samples = call.line.sent.filter(({ turn }) => turn === number).map((frame) => frame.samples);
  return samples.reduce((sum, count) => sum + count, 0) / 8;
}

it('a recording of two sentences is played before a sentence of the voice', async () => {
  const call = setup(['Good morning! This is Anna']);
  await call.answer();
  await call.silence(4000);
  expect(soundMs(call, 1)).toBe(2000 + 12 * 50);
  expect(call.transcript()).toEqual([`bot: ${GREETING}`]);
});

it('a sentence of a reply is played too, and the voice says the rest', async () => {
  const call = setup(['Are you there?']);
  await call.answer();
  await call.silence(10_000);
  expect(soundMs(call, 2)).toBe(2000 + 8 * 50);
  expect(call.transcript()[1]).toBe('bot: Are you there? Call us.');
});

it('without its sound a recorded sentence is spoken by the voice', async () => {
  const call = setup(['How are you?'], () => null);
  await call.answer();
  await call.silence(4000);
  expect(soundMs(call, 1)).toBe((13 + 13 + 12) * 50);
});
