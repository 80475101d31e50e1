import { describe, expect, it } from 'vitest';
import { readUserPart } from '../shared/phone-number.ts';
import { writeNumberTo } from './write-number.rules.ts';

it.each([
  ['+12025550101', 'e164', '+12025550101'],
  ['+12025550101', 'e164_without_plus', '12025550101'],
  ['1000', 'e164_without_plus', '1000'],
  ['+ext', 'e164_without_plus', '+ext'],
  ['1000', 'national', '1000'],
  ['', 'national', ''],
] as const)('writes %j as %s: %j', (number, numberFormat, user) => {
  expect(writeNumberTo({ numberFormat, defaultCountry: 'US' }, number)).toBe(user);
});

describe('the national form', () => {
  const write = (number: string, defaultCountry: string | null): string =>
    writeNumberTo({ numberFormat: 'national', defaultCountry }, number);

  it.each([
    ['+12025550180', 'US', '2025550180'],
    ['+12025550180', 'CA', '2025550180'],
    ['+442079460958', 'US', '011442079460958'],
    ['+442079460958', 'GB', '02079460958'],
    ['+4930123456', 'DE', '030123456'],
    ['+12025550180', 'DE', '0012025550180'],
    ['+390612345678', 'IT', '0612345678'],
    ['+12025550180', 'AU', '001112025550180'],
    ['+79121234567', 'RU', '89121234567'],
    ['+33123456789', 'FR', '0123456789'],
    ['+34912345678', 'ES', '912345678'],
  ])('%s in %s is %s, and is read as the same number', (number, country, user) => {
    expect(write(number, country)).toBe(user);
    expect(readUserPart(user, country)).toBe(number);
  });

  it('has the prefix of Russia for calls abroad, a wait for the dial tone left out', () => {
    expect(write('+12025550180', 'RU')).toBe('81012025550180');
  });

  it.each([
    ['+12025550180', 'BR'],
    ['+999123456', 'DE'],
    ['+12025550180', null],
  ])('%s keeps its plus in %s, where it has no such form', (number, country) => {
    expect(write(number, country)).toBe(number);
  });
});
