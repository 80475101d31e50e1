import { expect, it } from 'vitest';
import { chooseText, leastLogProbability } from './phrase-choice.rules.ts';

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

it.each([-3, -4.5, -5.9, -6, -6.1, -6.9, -7, -7.1, -20])(
  'a phrase below the least log probability changes nothing beside one of %d',
  (best) => {
    const likely = { text: 'monday', logProbability: best };
    const unlikely = { text: 'sunday', logProbability: leastLogProbability(free.logProbability) - 0.01 };
    expect(chooseText({ free, phrases: [unlikely, likely] })).toBe(chooseText({ free, phrases: [likely] }));
  },
);
it('a phrase above it can change the choice', () => {
  const likely = { text: 'monday', logProbability: free.logProbability - 4 };
  const second = { text: 'sunday', logProbability: leastLogProbability(free.logProbability) + 0.01 };
  expect(chooseText({ free, phrases: [likely] })).toBe('monday');
  expect(chooseText({ free, phrases: [likely, second] })).toBe('Mundy.');
});
