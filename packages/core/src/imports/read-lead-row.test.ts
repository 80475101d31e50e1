import { describe, expect, test } from 'vitest';
import { isEmptyRow, readLeadRow } from './read-lead-row.ts';

const plan = {
  columns: ['phone', 'name', '__proto__', 'notes'],
  phone: 0,
  variables: [
    { name: 'name', place: 1 },
    { name: '__proto__', place: 2 },
  ],
};

const read = (cells: string[], country: string | null = null) =>
  readLeadRow({ rowNumber: 7, cells }, plan, country);

describe('a row makes a lead', () => {
  test.each<[string, string[], string | null, string]>([
    ['with the number in international form', ['+1 (202) 555-0142'], null, '+12025550142'],
    ['with the number as it is dialed', ['0012025550142'], null, '+12025550142'],
    ["with the number in the account's country", ['030 123456'], 'DE', '+4930123456'],
    ['with 00 read as that country dials it', ['0012025550142'], 'DE', '+12025550142'],
    ['with an apostrophe in front, as a spreadsheet keeps a +', ["'+12025550142"], null, '+12025550142'],
    ['with spaces around', ['  +12025550142 '], null, '+12025550142'],
    ['with empty cells too many', ['+12025550142', '', '', '', '', ' '], null, '+12025550142'],
  ])('%s', (_, cells, country, phoneNumber) => {
    expect(read(cells, country)).toMatchObject({ rowNumber: 7, phoneNumber });
  });

  test('with variables as plain text, whatever they are called', () => {
    expect(read(['+12025550142', "'=1+1", 'polluted', 'left out'])).toMatchObject({
      variables: '{"name":"=1+1","__proto__":"polluted"}',
    });
  });

  test('with empty text where a cell is missing', () => {
    expect(read(['+12025550142'])).toMatchObject({ variables: '{"name":"","__proto__":""}' });
  });
});

describe('a row is refused', () => {
  test.each<[string, string[], string, string | null, string]>([
    ['without a number', ['', 'Ada'], 'phone_number_missing', 'phone', ''],
    ['with a number that cannot be', ['12345'], 'phone_number_invalid', 'phone', '12345'],
    [
      'with a number in the notation of a calculator',
      ['4.93E+11'],
      'phone_number_invalid',
      'phone',
      '4.93E+11',
    ],
    ['with a cell too many', ['+12025550142', '', '', '', 'x'], 'too_many_cells', null, 'x'],
    ['with bytes that are no UTF-8', ['+12025550142', 'M\uFFFDller'], 'not_utf8', 'name', 'M\uFFFDller'],
    ['with a NUL', ['+12025550142', 'a\0b'], 'forbidden_character', 'name', 'a\uFFFDb'],
    ['with variables above 64 KiB', ['+12025550142', 'x'.repeat(65_536)], 'variables_too_large', null, ''],
  ])('%s', (_, cells, code, columnName, value) => {
    expect(read(cells)).toEqual({ rowNumber: 7, code, columnName, value });
  });
});

test('a row of spaces is empty', () => {
  expect(isEmptyRow({ rowNumber: 1, cells: ['', ' '] })).toBe(true);
  expect(isEmptyRow({ rowNumber: 1, cells: ['', 'x'] })).toBe(false);
});
