import { expect, test } from 'vitest';
import { tone } from '@parley/audio';
import { WordRecogniser, type Guess } from './talk-word-recogniser.ts';

const CHUNK_MS = 20;

function hear(recogniser: WordRecogniser, lengthMs: number, amplitude: number): Guess[] {
  const samples = tone({ hz: 300, sampleRateHz: 8000, samples: lengthMs * 8, amplitude });
  const guesses: Guess[] = [];
  for (let at = 0; at < samples.length; at += CHUNK_MS * 8) {
    const chunk = samples.slice(at, at + CHUNK_MS * 8);
    const guess = recogniser.push(Buffer.from(chunk.buffer));
    if (guess) guesses.push(guess);
  }
  return guesses;
}

test('one word for each 300 ms of speech, which comes late', () => {
  const recogniser = new WordRecogniser(() => 0.5);
  const guesses = hear(recogniser, 1000, 8000);
  expect(guesses.map(({ text }) => text.split(' ').length)).toEqual([1, 2, 3]);
  expect(guesses.map(({ lateMs }) => lateMs)).toEqual([350, 350, 350]);
});

test('short speech is one word, a very short sound none, and a quiet voice speaks words', () => {
  const said = (lengthMs: number, amplitude: number): string => {
    const recogniser = new WordRecogniser(() => 0.5);
    hear(recogniser, lengthMs, amplitude);
    hear(recogniser, 400, 0);
    return recogniser.take();
  };
  expect(said(200, 8000)).toBe('okay');
  expect(said(60, 8000)).toBe('');
  expect(said(600, 200)).toBe('okay the');
});

test('a final result ends the guesses before it', () => {
  const recogniser = new WordRecogniser(() => 0.5);
  const [guess] = hear(recogniser, 400, 8000);
  expect(guess && recogniser.isOutdated(guess)).toBe(false);
  expect(recogniser.take()).toBe('okay');
  expect(guess && recogniser.isOutdated(guess)).toBe(true);
  expect(recogniser.take()).toBe('');
});
