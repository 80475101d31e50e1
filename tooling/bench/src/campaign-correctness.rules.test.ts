import { expect, test } from 'vitest';
import { addUp, formatCorrectness } from './campaign-correctness.rules.ts';

const NONE = { lost: 0, twice: 0, overCap: 0, outsideWindow: 0 };

test('faults of every kind and of every part are added', () => {
  const all = [
    NONE,
    { ...NONE, lost: 1, twice: 2 },
    { ...NONE, overCap: 3, twice: 1 },
    { ...NONE, outsideWindow: 4 },
  ];
  expect(formatCorrectness(addUp(all))).toBe('lost 1  twice 3  over cap 3  outside window 4');
});

test('nothing judged is nothing found', () => {
  expect(addUp([])).toEqual(NONE);
});
