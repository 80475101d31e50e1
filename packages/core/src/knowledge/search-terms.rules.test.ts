import { expect, test } from 'vitest';
import { searchTerms, stemmerOf } from './search-terms.rules.ts';

test.each<[string, string[]]>([
  ['Opening hours: 9–17, opening!', ['opening', 'hours', '9', '17']],
  ['Öffnungszeiten Café', ['offnungszeiten', 'cafe']],
  ["It's {{x}} & 'y:*' | !z \\", ['it', 's', 'x', 'y', 'z']],
  ['営業時間です', ['営業', '時間', 'です']],
  ['й', ['й']],
  [' … ', []],
])('the words of %j', (text, words) => {
  expect(searchTerms(text)).toEqual(words);
});

test('a word is cut at 64 characters', () => {
  expect(searchTerms('x'.repeat(5000))).toEqual(['x'.repeat(64)]);
});

test('a language without a stemmer keeps its words', () => {
  expect(['de', 'en-US', 'ja', ''].map(stemmerOf)).toEqual([
    'german_stem',
    'english_stem',
    'simple',
    'simple',
  ]);
});
