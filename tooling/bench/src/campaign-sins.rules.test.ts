import { expect, test } from 'vitest';
import { addUp, sinsInWords } from './campaign-sins.rules.ts';

const NONE = { lost: 0, twice: 0, overCap: 0, outsideWindow: 0 };

test('sins of every kind and of every part count', () => {
  const all = [
    NONE,
    { ...NONE, lost: 1, twice: 2 },
    { ...NONE, overCap: 3, twice: 1 },
    { ...NONE, outsideWindow: 4 },
  ];
  expect(sinsInWords(addUp(all))).toBe('lost 1  twice 3  over cap 3  outside window 4');
});

test('nothing judged is nothing found', () => {
  expect(addUp([])).toEqual(NONE);
});
