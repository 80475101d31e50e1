import { expect, test } from 'vitest';
import { nameOf } from './lookup-names.rules.ts';

const VOICES = [{ id: 7, name: 'Anna' }];

test.each([
  ['a loaded list has the name', VOICES, false, 'Anna'],
  ['nothing is said while the list is loading', undefined, false, null],
  ['without the list there is the id', undefined, true, '#7'],
  ['a list without the entry has the id', [], false, '#7'],
])('%s', (_, list, isLost, shown) => {
  expect(nameOf(7, list, isLost)).toBe(shown);
});
