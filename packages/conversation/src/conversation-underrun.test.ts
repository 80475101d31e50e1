/** A voice that delivers more slowly than it is played. In virtual time; the fake voice needs 50 ms for a character. */
import { ManualClock } from '@parley/runtime';
import { createFakeSynthesiser, fakeSpeech } from '@parley/speech/fakes';
import { expect, it } from 'vitest';
import { Scenario } from '../test/scenario.ts';

/** 2.9 s of sound. */
const ANSWER = 'We open at nine in the morning and close at six in the evening.';

/** @param chunkEveryMs - time for 100 ms of sound */
async function answerWith(chunkEveryMs: number): Promise<Scenario> {
  const clock = new ManualClock();
  const synthesiser = createFakeSynthesiser({ clock, chunkEveryMs });
  const call = new Scenario({ clock, synthesiser, answers: [fakeSpeech(ANSWER)] });
  await call.answerAndGreet();
  await call.speech(800);
  await call.silence(12_000);
  return call;
}

/** The lengths of continuous sound in the reply, milliseconds. */
function stretchesOf({ line }: Scenario): number[] {
  const lengths: number[] = [];
  let before = -1;
  for (const { index, turn } of line.sent) {
    if (turn === 1) continue;
    if (index === before + 1) lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + 20;
    else lengths.push(20);
    before = index;
  }
  return lengths;
}

it('is heard in few long pieces, and no word is lost', async () => {
  const call = await answerWith(150);
  const stretches = stretchesOf(call);
  // The first piece is short, because nothing is held back before there was an underrun.
  expect(stretches.slice(1, -1).every((ms) => ms >= 300)).toBe(true);
  expect(stretches.length).toBeLessThanOrEqual(5);
  const words = ANSWER.split(' ').join('').length;
  expect(stretches.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(words * 50);
  expect(call.transcript().at(-1)).toBe(`bot: ${ANSWER}`);
  expect((await call.end()).quality.underruns).toBe(stretches.length - 1);
});

it('is no underrun when it is faster', async () => {
  const call = await answerWith(40);
  expect((await call.end()).quality.underruns).toBe(0);
});

it('what is held back is dropped when the caller interrupts', async () => {
  const clock = new ManualClock();
  const synthesiser = createFakeSynthesiser({ clock, chunkEveryMs: 150 });
  const answers = [fakeSpeech(ANSWER), fakeSpeech('Yes.')];
  const call = new Scenario({ clock, answers, synthesiser });
  await call.answerAndGreet();
  await call.speech(800);
  await call.silence(1600);
  await call.speech(1200);
  await call.silence(4000);
  // 0.7 s were sent.
  expect(call.transcript().slice(2)).toEqual([
    'bot: We open at nine –',
    'human: [not recognised]',
    'bot: Yes.',
  ]);
});
