import { expect, test } from 'vitest';
import { chooseRange } from './byte-range.rules.ts';

test.each([
  [undefined, 100, { kind: 'whole' }],
  ['bytes=0-9', 100, { kind: 'part', start: 0, end: 9 }],
  ['bytes=90-', 100, { kind: 'part', start: 90, end: 99 }],
  ['bytes=-10', 100, { kind: 'part', start: 90, end: 99 }],
  ['bytes=-200', 100, { kind: 'part', start: 0, end: 99 }],
  ['bytes=95-200', 100, { kind: 'part', start: 95, end: 99 }],
  ['bytes=100-', 100, { kind: 'unsatisfiable' }],
  ['bytes=-0', 100, { kind: 'unsatisfiable' }],
  ['bytes=0-', 0, { kind: 'unsatisfiable' }],
  ['bytes=9-0', 100, { kind: 'whole' }],
  ['bytes=-', 100, { kind: 'whole' }],
  ['bytes=0-1,5-6', 100, { kind: 'whole' }],
  ['lines=0-1', 100, { kind: 'whole' }],
])('%s of %i bytes', (header, size, expected) => {
  expect(chooseRange(header, size)).toEqual(expected);
});
