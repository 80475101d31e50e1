import { types } from 'pg';
import { expect, test } from 'vitest';
import { json, typeParsers } from './sql-values.ts';

test.each([
  ['NUL', 'a\0b', 'a\u{FFFD}b'],
  ['half a character', 'a\uD83D', 'a\u{FFFD}'],
  ['a whole one, which stays', '\u{1F600}', '\u{1F600}'],
  ['the words for NUL, which stay', '\\u0000', '\\u0000'],
  ['NUL behind a backslash', '\\\0', '\\\u{FFFD}'],
])('jsonb gets nothing that it cannot hold: %s', (_what, given, kept) => {
  expect(JSON.parse(json({ [given]: given }))).toEqual({ [kept]: kept });
});

const readInstant = typeParsers.getTypeParser(types.builtins.TIMESTAMPTZ);

test.each([
  ['2026-01-31 09:05:07+00', '2026-01-31T09:05:07.000Z'],
  ['2026-12-31 23:59:59.1+00', '2026-12-31T23:59:59.100Z'],
  ['2026-01-31 09:05:00.12+00', '2026-01-31T09:05:00.120Z'],
  ['2026-01-31 09:05:00.001+00', '2026-01-31T09:05:00.001Z'],
  ['2026-01-31 09:05:00.999999+00', '2026-01-31T09:05:00.999Z'],
  ['2024-02-29 00:00:00+00', '2024-02-29T00:00:00.000Z'],
  ['2026-01-31 14:35:00+05:30', '2026-01-31T09:05:00.000Z'],
  ['2026-01-31 10:05:00.5+01', '2026-01-31T09:05:00.500Z'],
  ['0044-03-15 12:00:00+00', '0044-03-15T12:00:00.000Z'],
  ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
  ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
])('the instant %s is read as %s', (text, iso) => {
  expect(readInstant(text)).toEqual(new Date(iso));
});

test('the end of time is no instant', () => {
  expect(readInstant('infinity')).toBe(Infinity);
});
