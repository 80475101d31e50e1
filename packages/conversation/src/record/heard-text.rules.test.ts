import { describe, expect, it } from 'vitest';
import { heardText, paceOf, splitHeard, type SpokenChunk } from './heard-text.rules.ts';

/** Samples of 8000 Hz for a character: 65 ms. */
const PACE = 520;
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
    expect(heardText(turn, sentSamples, PACE)).toBe(text);
  });

  it('a piece still being made is measured by the pace of the voice', () => {
    const growing = [chunk('a sentence of about thirty char', 8000, false)];
    expect(heardText(growing, 8000, PACE)).toBe('a sentence of');
  });

  it('a piece for which no sound came was not heard', () => {
    expect(heardText([chunk('silent', 0), chunk('loud', 800)], 800, PACE)).toBe('loud');
  });

  it('what is heard grows word by word and never shrinks', () => {
    let longest = '';
    for (let sent = 0; sent <= 14_000; sent += 160) {
      const text = heardText(turn, sent, PACE);
      expect(text.startsWith(longest)).toBe(true);
      longest = text;
    }
  });
});

describe('splitHeard', () => {
  it('gives every word to one side, in order', () => {
    for (let samples = 0; samples <= 8000; samples += 400) {
      const { heard, rest } = splitHeard(chunk('alpha be gamma delta e', 8000), samples, PACE);
      expect([heard, rest].filter(Boolean).join(' ')).toBe('alpha be gamma delta e');
    }
  });
});

describe('paceOf', () => {
  it.each([
    ['the usual one before the voice has finished anything', [chunk('half', 100, false)], 520],
    ['that of what it has finished', [chunk('0123456789', 4000), chunk('01234', 3500)], 500],
    ['pieces without sound say nothing', [chunk('01234', 0), chunk('0123456789', 4000)], 400],
  ])('%s', (_sentence, chunks, pace) => {
    expect(paceOf(chunks, 8000)).toBe(pace);
  });
});
