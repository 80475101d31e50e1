import { expect, test } from 'vitest';
import { json, storable } from './sql-values.ts';

test.each([
  ['NUL', 'a\0b', 'a\u{FFFD}b'],
  ['half a surrogate pair', 'a\uD83D', 'a\u{FFFD}'],
  ['a complete pair, which stays', '\u{1F600}', '\u{1F600}'],
  ['an escaped NUL escape, which stays', '\\u0000', '\\u0000'],
  ['NUL behind a backslash', '\\\0', '\\\u{FFFD}'],
])('jsonb gets nothing that it cannot hold: %s', (_what, given, kept) => {
  expect(JSON.parse(json({ [given]: given }))).toEqual({ [kept]: kept });
});

test('a text gets no NUL, and other values stay as they are', () => {
  expect(storable('a\0b')).toBe('a\u{FFFD}b');
  const bytes = new Uint8Array([0]);
  expect(storable(bytes)).toBe(bytes);
  expect(storable(['a\0b', null, 1, 'c'])).toEqual(['a\u{FFFD}b', null, 1, 'c']);
  const ids = [1, 2];
  expect(storable(ids)).toBe(ids);
});
