import { expect, it } from 'vitest';
import { chooseText } from './phrase-choice.rules.ts';

const free = { text: 'Mundy.', logProbability: -2 };
const monday = { text: 'monday', logProbability: -3 };

it.each([
  ['a probable phrase replaces the free text', [monday, { text: 'no', logProbability: -15 }], 'monday'],
  ['an improbable phrase does not', [{ text: 'no', logProbability: -8 }], 'Mundy.'],
  ['two phrases of similar probability do not', [monday, { text: 'sunday', logProbability: -3.5 }], 'Mundy.'],
  ['a single phrase needs no margin', [monday], 'monday'],
  ['without phrases the free text stands', [], 'Mundy.'],
])('%s', (_sentence, phrases, expected) => {
  expect(chooseText({ free, phrases })).toBe(expected);
});
