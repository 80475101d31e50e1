import { expect, it } from 'vitest';
import { toFliteSentences } from './flite-text.rules.ts';

it.each([
  ['leaves plain English alone', "It's 5 o'clock, isn't it?", ["It's 5 o'clock, isn't it?"]],
  ['takes accents off', 'Zoë ate a crème brûlée', ['Zoe ate a creme brulee']],
  ['makes typographic signs plain', '“Don’t…”', ['"Don\'t..."']],
  ['reads a dash as a pause', 'well–no', ['well, no']],
  ['says currencies', '20 €', ['20 euros']],
  ['drops what Flite cannot read', 'A\0B\n你好 C', ['A B C']],
  ['finds nothing to say in white space and signs', ' \n … ', []],
])('%s', (_name, text, expected) => {
  expect(toFliteSentences(text)).toEqual(expected);
});

it('cuts a long text at its sentence ends and loses no word', () => {
  const text = 'Is this the first sentence? Yes, it is. '.repeat(10).trim();
  const sentences = toFliteSentences(text);
  expect(sentences).toHaveLength(20);
  expect(sentences.join(' ')).toBe(text);
});
