import { describe, expect, it } from 'vitest';
import { heardText, splitHeard, type SpokenChunk } from './heard-text.rules.ts';

const RATE = 8000;
const chunk = (text: string, givenSamples: number, isComplete = true): SpokenChunk => ({
  text,
  givenSamples,
  isComplete,
});

describe('heardText', () => {
  const turn = [chunk('one two three four', 8000), chunk('five six', 4000), chunk('seven', 2000)];

  it.each([
    ['nothing sent, nothing heard', 0, ''],
    ['a word hardly begun was not heard', 500, ''],
    ['half a piece is half of its words', 4000, 'one two'],
    ['a whole piece', 8000, 'one two three four'],
    ['the second piece counts from its own start', 10_000, 'one two three four five'],
    ['everything', 14_000, 'one two three four five six seven'],
    ['more than everything is still everything', 99_000, 'one two three four five six seven'],
  ])('%s', (_sentence, sentSamples, text) => {
    expect(heardText(turn, sentSamples, RATE)).toBe(text);
  });

  it('a piece still being made is measured by its usual length', () => {
    const growing = [chunk('a sentence of about thirty char', 8000, false)];
    expect(heardText(growing, 8000, RATE)).toBe('a sentence of');
  });

  it('a piece for which no sound came was not heard', () => {
    expect(heardText([chunk('silent', 0), chunk('loud', 800)], 800, RATE)).toBe('loud');
  });

  it('what is heard grows word by word and never shrinks', () => {
    let longest = '';
    for (let sent = 0; sent <= 14_000; sent += 160) {
      const text = heardText(turn, sent, RATE);
      expect(text.startsWith(longest)).toBe(true);
      longest = text;
    }
  });
});

describe('splitHeard', () => {
  it('gives every word to one side, in order', () => {
    for (let samples = 0; samples <= 8000; samples += 400) {
      const { heard, rest } = splitHeard(chunk('alpha be gamma delta e', 8000), samples, RATE);
      expect([heard, rest].filter(Boolean).join(' ')).toBe('alpha be gamma delta e');
    }
  });
});
