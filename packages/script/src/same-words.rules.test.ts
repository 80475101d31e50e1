import { expect, it } from 'vitest';
import { comparableText } from './same-words.rules.ts';

it.each([
  ['case, spaces and punctuation do not count', ' Hello,  this is ANNA! ', 'hello this is anna', true],
  ['nor does the form of an apostrophe', 'I’m Anna.', "I'm Anna", true],
  ['nor how letters are composed', 'Cafe\u0301', 'Café', true],
  ['a question is another sentence', 'Really.', 'Really?', false],
  ['the number of question marks does not count', 'Really?!', 'really ??', true],
  ['other words are another sentence', 'Hello Anna', 'Hello', false],
  ['scripts without case', '你好。', '你好', true],
])('%s', (_sentence, one, other, isSame) => {
  expect(comparableText(one) === comparableText(other)).toBe(isSame);
});

it('a text without words has none', () => {
  expect(comparableText(' … ! ')).toBe('');
});
