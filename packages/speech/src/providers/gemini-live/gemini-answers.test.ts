/** Whose the messages are of a provider that numbers nothing. */
import { expect, it } from 'vitest';
import type { RealtimePiece } from '../../ports.ts';
import { Answers, type Answer } from './gemini-answers.ts';

const says = (text: string) => ({ outputTranscription: { text } });
const INTERRUPTED = { interrupted: true };
const MADE = { generationComplete: true };
const OVER = { turnComplete: true };

/** What an answer was given, once it has ended. */
async function wordsOf(answer: Answer): Promise<string> {
  const pieces: RealtimePiece[] = [];
  for await (const piece of answer.pieces) pieces.push(piece);
  return pieces.map((piece) => (piece.type === 'words' ? piece.text : piece.type)).join(' ');
}

it('gives everything to the oldest answer until its turn is complete', async () => {
  const answers = new Answers(8000);
  const [first, second] = [answers.begin(), answers.begin()];
  for (const content of [says('old'), INTERRUPTED, says('older'), OVER, says('new'), MADE, OVER])
    answers.received(content);
  expect([await wordsOf(first), await wordsOf(second)]).toEqual(['old older', 'new']);
  expect(answers.isEmpty).toBe(true);
});

it('has an answer at once when it is made, though its turn goes on', async () => {
  const answers = new Answers(8000);
  const answer = answers.begin();
  answers.received(says('all'));
  expect(answers.isAwaited).toBe(true);
  answers.received(MADE);
  expect(await wordsOf(answer)).toBe('all');
  expect([answers.isAwaited, answers.isEmpty]).toEqual([false, false]);
});

it('takes the end of a turn that waited for its tools for none of the next answer', async () => {
  const answers = new Answers(8000);
  const first = answers.begin();
  answers.called([{ id: '1', name: 'look_up' }]);
  const second = answers.begin();
  for (const content of [INTERRUPTED, OVER, says('new'), MADE, OVER]) answers.received(content);
  expect([await wordsOf(first), await wordsOf(second)]).toEqual(['tool-call', 'new']);
});
