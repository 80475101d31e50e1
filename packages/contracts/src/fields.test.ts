import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldErrors } from './field-wording.ts';
import {
  boolean,
  calendarDate,
  choice,
  idParameter,
  integer,
  nullable,
  number,
  optionalQuery,
  requiredText,
  text,
  timeZone,
  variables,
  webAddress,
} from './fields.ts';

/** What a schema says of one value: the parsed value, or the first text about it. */
function judge(schema: z.ZodType, value: unknown): unknown {
  const result = z.object({ some_field: schema }).safeParse(value === undefined ? {} : { some_field: value });
  return result.success ? result.data.some_field : fieldErrors(result.error.issues)['some_field']?.[0];
}

const REQUIRED = 'The some field field is required.';

test.each<[string, z.ZodType, unknown, unknown]>([
  ['text takes the empty string', text(), '', ''],
  ['text refuses numbers', text(), 5, 'The some field must be a string.'],
  ['text counts characters, not UTF-16 units', text({ maximum: 3 }), '😀😀😀', '😀😀😀'],
  [
    'text has a limit',
    text({ maximum: 3 }),
    '😀😀😀😀',
    'The some field must not be greater than 3 characters.',
  ],
  ['required text must be there', requiredText(), undefined, REQUIRED],
  ['required text must not be null', requiredText(), null, REQUIRED],
  ['required text must not be empty', requiredText(), '', REQUIRED],
  ['required text must not be spaces only', requiredText(), '  ', REQUIRED],
  ['required text is kept as it was sent', requiredText(), ' a ', ' a '],
  ['an integer may be a string', integer(), '12', 12],
  ['an integer has no fraction', integer(), 1.5, 'The some field must be an integer.'],
  ['an integer is not a word', integer(), 'twelve', 'The some field must be an integer.'],
  ['an integer is not a boolean', integer(), true, 'The some field must be an integer.'],
  ['an integer is not empty', integer(), '', 'The some field must be an integer.'],
  ['an integer must be there', integer(), undefined, REQUIRED],
  ['an integer is exact', integer(), 9_007_199_254_740_992, 'The some field must be an integer.'],
  [
    'an integer is exact as a string too',
    integer(),
    '9007199254740993',
    'The some field must be an integer.',
  ],
  [
    'bounds are reported together',
    integer({ minimum: 7, maximum: 600 }),
    6,
    'The some field must be between 7 and 600.',
  ],
  ['bounds are inclusive', integer({ minimum: 7, maximum: 600 }), 600, 600],
  ['a number may be a string', number({ minimum: 0, maximum: 1 }), '0.5', 0.5],
  [
    'a number has bounds',
    number({ minimum: 0.7, maximum: 1.2 }),
    1.21,
    'The some field must be between 0.7 and 1.2.',
  ],
  ['a number is a number', number(), 'high', 'The some field must be a number.'],
  ['a boolean may be a word', boolean(), 'true', true],
  ['a boolean may be a digit', boolean(), 0, false],
  ['a boolean is nothing else', boolean(), 'yes', 'The some field field must be true or false.'],
  ['a choice is one of its words', choice(['a', 'b']), 'a', 'a'],
  ['a choice accepts only its values', choice(['a', 'b']), 'A', 'The selected some field is invalid.'],
  ['a choice must be made', choice(['a', 'b']), undefined, REQUIRED],
  ['an empty choice is none', choice(['a', 'b']), '', REQUIRED],
  ['null is no choice', choice(['a', 'b']), null, REQUIRED],
  ['an empty address is none', webAddress(), '', REQUIRED],
  ['an address needs its protocol', webAddress(), 'a.example', 'The some field must be a valid URL.'],
  ['null is fine where it is allowed', nullable(integer()), null, null],
  ['an empty string is null there', nullable(integer()), '', null],
  ['variables are an object', variables(), { a: [1] }, { a: [1] }],
  ['variables may be an empty list', variables(), [], {}],
  ['variables may be a list of objects', variables(), [{ a: 1 }, { a: 2 }], { a: 2 }],
  ['variables are not a text', variables(), 'a', 'The some field must be an array.'],
  ['variables are not a list of texts', variables(), ['a'], 'The some field must be an array.'],
  [
    'variables have a size',
    variables(),
    { a: 'x'.repeat(65_536) },
    'The some field must not be greater than 64 kilobytes.',
  ],
  [
    'variables are measured in bytes, three for some letters',
    variables(),
    { a: '€'.repeat(22_000) },
    'The some field must not be greater than 64 kilobytes.',
  ],
  ['variables may fill their size', variables(), { a: 'x'.repeat(65_528) }, { a: 'x'.repeat(65_528) }],
  ['an address is absolute', webAddress(), '/hook', 'The some field must be a valid URL.'],
  ['an address is http or https', webAddress(), 'ftp://example.com', 'The some field must be a valid URL.'],
  [
    'an address has no credentials',
    webAddress(),
    'https://a:b@example.com',
    'The some field must be a valid URL.',
  ],
  ['an address has a host', webAddress(), 'https://', 'The some field must be a valid URL.'],
  [
    'an address has no spaces',
    webAddress(),
    'https://example.com/a b',
    'The some field must be a valid URL.',
  ],
  [
    'an address is kept as it is',
    webAddress(),
    'HTTP://Example.com:8080/a?b#c',
    'HTTP://Example.com:8080/a?b#c',
  ],
  ['a zone is a name', timeZone(), 'America/New_York', 'America/New_York'],
  ['a zone is spelled as its name is', timeZone(), 'america/new_york', 'America/New_York'],
  ['a zone may be named by its alias', timeZone(), 'Europe/Kyiv', 'Europe/Kyiv'],
  ['an offset is not a time zone', timeZone(), '+01:00', 'The some field must be a valid timezone.'],
  ['a zone exists', timeZone(), 'Europe/Atlantis', 'The some field must be a valid timezone.'],
  ['a zone must be there', timeZone(), '', REQUIRED],
  ['a day exists', calendarDate(), '2024-02-29', '2024-02-29'],
  ['a day of no calendar', calendarDate(), '2026-02-29', 'The some field format is invalid.'],
  [
    'a year that Postgres does not support',
    calendarDate(),
    '0000-01-01',
    'The some field format is invalid.',
  ],
  ['no day', calendarDate(), '', 'The some field field is required.'],
  ['an instant is not a day', calendarDate(), '2026-02-01T00:00', 'The some field format is invalid.'],
  ['an empty query value is not given', optionalQuery(integer()), '', undefined],
])('%s', (_name, schema, value, expected) => {
  expect(judge(schema, value)).toEqual(expected);
});

test.each([
  ['12', 12],
  ['0012', 12],
  ['abc', null],
  ['1.5', null],
  ['-1', null],
  ['1e3', null],
  ['99999999999999999999', null],
])('the path id %s', (id, expected) => {
  expect(idParameter.safeParse({ id }).data?.id ?? null).toBe(expected);
});
