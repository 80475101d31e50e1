import { describe, expect, it } from 'vitest';
import { wordSpans } from './word-spans.rules.ts';

/** One after the other, 100 samples each. */
function spansOf(text: string, spoken: readonly string[]): string[] {
  const timed = spoken.map((word, index) => ({ text: word, start: index * 100, end: (index + 1) * 100 }));
  return wordSpans(text.split(' '), timed).map(({ start, end }) => `${start}-${end}`);
}

describe('wordSpans', () => {
  it.each([
    ['the same words', 'Good morning.', ['Good', 'morning.'], ['0-100', '100-200']],
    ['without punctuation and capitals', '“Good” morning!', ['good', 'morning'], ['0-100', '100-200']],
    ['a word in parts', 'a ten-minute walk', ['a', 'ten', 'minute', 'walk'], ['0-100', '100-300', '300-400']],
    ['a dash that is no word', 'yes – no', ['yes', 'no'], ['0-100', '100-100', '100-200']],
    ['a dash that is one', 'yes – no', ['yes', '–', 'no'], ['0-100', '100-200', '200-300']],
    ['letters of any script', 'да, 好', ['да', '好'], ['0-100', '100-200']],
    ['as many as are reported', 'one two three', ['one'], ['0-100']],
    [
      'none after a word that is another',
      'I have 3 cats',
      ['I', 'have', 'three', 'cats'],
      ['0-100', '100-200'],
    ],
    ['none after two words in one', 'all right then', ['allright', 'then'], []],
    ['more than the text has', 'one', ['one', 'two'], ['0-100']],
    ['nothing', 'one', [], []],
  ])('%s', (_sentence, text, spoken, spans) => {
    expect(spansOf(text, spoken)).toEqual(spans);
  });
});
