import { expect, test } from 'vitest';
import { json } from './sql-values.ts';

test.each([
  ['NUL', 'a\0b', 'a\u{FFFD}b'],
  ['half a surrogate pair', 'a\uD83D', 'a\u{FFFD}'],
  ['a complete pair, which stays', '\u{1F600}', '\u{1F600}'],
  ['an escaped NUL escape, which stays', '\\u0000', '\\u0000'],
  ['NUL behind a backslash', '\\\0', '\\\u{FFFD}'],
])('jsonb gets nothing that it cannot hold: %s', (_what, given, kept) => {
  expect(JSON.parse(json({ [given]: given }))).toEqual({ [kept]: kept });
});
