import { expect, it } from 'vitest';
import { isUrlId } from './url-id.rules.ts';

it.each([
  ['1', true],
  ['123456789012345', true],
  ['1234567890123456', false],
  ['0', false],
  ['-1', false],
  ['1.5', false],
  ['1e3', false],
  ['abc', false],
  ['', false],
])('%s can be an id: %s', (text, isId) => {
  expect(isUrlId(text)).toBe(isId);
});
