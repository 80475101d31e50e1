import { expect, it } from 'vitest';
import { groupDigits, splitAtNumbers } from './phone-number.rules.ts';

it.each([
  ['+12025550142', '+1 202 555 0142'],
  ['+493012345', '+49 301 2345'],
  ['+4915123456789', '+49 151 234 567 89'],
  ['+442079460018', '+44 207 946 0018'],
  ['+35312345678', '+353 123 456 78'],
  ['+74951234567', '+7 495 123 4567'],
  ['12025550142', '12025550142'],
  ['Browser', 'Browser'],
  ['', ''],
])('%s is grouped as %s', (number, shown) => {
  expect(groupDigits(number).join(' ')).toBe(shown);
  expect(groupDigits(number).join('')).toBe(number);
});

it.each([
  ['Delete +12025550142?', ['Delete ', '+12025550142', '?']],
  ['Calls to +493012345', ['Calls to ', '+493012345']],
  ['Add a number', ['Add a number']],
  ['Order +12025550142555599', ['Order +12025550142555599']],
  ['', []],
])('the numbers of "%s" are parts', (text, parts) => {
  expect(splitAtNumbers(text)).toEqual(parts);
});
