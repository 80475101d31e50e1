import { expect, test } from 'vitest';
import { z } from 'zod';
import { cursorAnswer, cursorQuery } from './cursor.ts';

const field = cursorQuery(z.tuple([z.int(), z.string()]));

test('a cursor that was answered is read as the position after it', () => {
  const { next_cursor: cursor } = cursorAnswer({ rows: [], next: [1_767_225_600_000_001, '>>>???'] }, 15);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(field.parse(cursor)).toEqual({ after: [1_767_225_600_000_001, '>>>???'] });
});

test('an empty cursor is the beginning, and an absent one is not a cursor', () => {
  expect(field.parse('')).toEqual({ after: null });
  expect(field.parse(undefined)).toBeUndefined();
  expect(cursorAnswer({ rows: [1], next: null }, 15)).toEqual({ data: [1], per_page: 15, next_cursor: null });
});

test.each([
  ['text that is not base64url', '%%%'],
  ['base64url of something else than JSON', 'YWJj'],
  ['the position of another list', btoa('[1]')],
  ['a fraction', btoa('[1.5,"a"]')],
  ['an object', btoa('{"after":1}')],
])('%s is refused', (_what, cursor) => {
  expect(field.safeParse(cursor).error?.issues).toMatchObject([
    { message: 'The selected :attribute is invalid.' },
  ]);
});
