import { expect, test } from 'vitest';
import { inParts, pastedNumbers, searchedPart } from './pasted-numbers.rules.ts';

test('numbers are separated by line breaks, commas and semicolons, and each counts once', () => {
  const text = '+1 202 555 0101\r\n+12025550102; +12025550103 ,\n\n+12025550102\n';
  expect(pastedNumbers(text)).toEqual(['+1 202 555 0101', '+12025550102', '+12025550103']);
});

test('a long list is split into parts, and nothing is lost', () => {
  expect(inParts(['1', '2', '3', '4', '5'], 2)).toEqual([['1', '2'], ['3', '4'], ['5']]);
  expect(inParts([], 2)).toEqual([]);
});

test('a search ignores the separators between digits', () => {
  expect(searchedPart(' +1 (202) 555-01')).toBe('+120255501');
});
