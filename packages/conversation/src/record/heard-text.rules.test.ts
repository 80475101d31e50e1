import { describe, expect, it } from 'vitest';
import {
  heardText,
  paceOf,
  samplesToWordEnd,
  splitHeard,
  wordsFrom,
  type SpokenChunk,
} from './heard-text.rules.ts';

/** Samples of 8000 Hz for a character: 65 ms. */
const PACE = 520;
const chunk = (text: string, givenSamples: number, isComplete = true): SpokenChunk => ({
  text,
  words: [],
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

/** Three words of which the first lasts longest, unlike its letters, with a pause before the last. */
const timed = (count = 3): SpokenChunk => ({
  ...chunk('so the appointment.', 8000, false),
  words: [
    { text: 'so', start: 0, end: 4000 },
    { text: 'the', start: 4000, end: 4800 },
    { text: 'appointment', start: 5600, end: 8000 },
  ].slice(0, count),
});

describe('with the times of words', () => {
  it.each([
    ['a word of which less than half sounded was not heard', 1999, ''],
    ['half a word was heard', 2000, 'so'],
    ['a word that only began is not', 4300, 'so'],
    ['two words', 4400, 'so the'],
    ['nor is a pause', 5600, 'so the'],
    ['half of the last word', 6800, 'so the appointment.'],
  ])('%s', (_sentence, samples, heard) => {
    expect(splitHeard(timed(), samples, PACE).heard).toBe(heard);
  });

  it('words whose times are not known yet are estimated, after the known ones', () => {
    const heardOf = (samples: number): string => splitHeard(timed(1), samples, PACE).heard;
    expect(heardOf(1999)).toBe('');
    expect(heardOf(4000)).toBe('so');
    expect(heardOf(5000)).toBe('so the');
    expect(heardOf(8000)).toBe('so the appointment.');
  });

  it('the end of the word that sounds is known, and not between words', () => {
    const turn = [chunk('first', 1000), timed()];
    const ends = [500, 1000, 1001, 4900, 5000, 5001, 5900, 6600, 6601, 8999, 9000].map((sent) =>
      samplesToWordEnd(turn, sent),
    );
    expect(ends).toEqual([0, 0, 3999, 100, 0, 799, 0, 0, 2399, 1, 0]);
  });

  it('the rest of a chunk that is cut keeps its times', () => {
    expect(wordsFrom(timed(), 4300)).toEqual([
      { text: 'the', start: -300, end: 500 },
      { text: 'appointment', start: 1300, end: 3700 },
    ]);
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
