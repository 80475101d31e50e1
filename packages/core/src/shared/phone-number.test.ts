import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { normalisePhoneNumber, readUserPart } from './phone-number.ts';

describe('the user part of a SIP URI', () => {
  it.each([
    ['+12025550180', null, '+12025550180'],
    ['2025550180', 'US', '+12025550180'],
    ['2025550180', null, '+2025550180'],
    ['12025550180', 'US', '+12025550180'],
    ['0114930123456', 'US', '+4930123456'],
    ['004930123456', 'GB', '+4930123456'],
    ['030123456', 'DE', '+4930123456'],
    ['4930123456', 'DE', '+4930123456'],
    ['12025550180', 'DE', '+12025550180'],
    ['912345678', 'ES', '+34912345678'],
    ['1000', 'US', '1000'],
    ['anonymous', 'US', 'anonymous'],
    ['', 'US', ''],
  ])('%j in %s is %j', (user, country, expected) => {
    expect(readUserPart(user, country)).toBe(expected);
  });
});

describe('reading a phone number', () => {
  it.each([
    ['+49 151 23456789', '+4915123456789'],
    ['+1 (202) 555-0123', '+12025550123'],
    [' +12025550123 ', '+12025550123'],
    ['+44.20.7946.0958', '+442079460958'],
    ['0049 151 23456789', '+4915123456789'],
    ['00 1 202 555 0123', '+12025550123'],
  ])('%s is %s', (text, expected) => {
    expect(normalisePhoneNumber(text)).toBe(expected);
  });

  it.each([
    '',
    'hello',
    '00',
    '000491512345678',
    // Possible by the metadata of Germany, but longer than E.164 allows.
    '+4915123456789012',
    '+999123456789',
    '+4912',
    '+120255501234567890',
    '2025550123',
    'call +12025550123',
    '+12025550123 ext. 5',
  ])('%j is refused', (text) => {
    expect(normalisePhoneNumber(text)).toBeNull();
  });

  it('without + a number is one of the default country', () => {
    expect(normalisePhoneNumber('0151 23456789', 'DE')).toBe('+4915123456789');
    expect(normalisePhoneNumber('(202) 555-0123', 'US')).toBe('+12025550123');
    expect(normalisePhoneNumber('0151 23456789', 'XX')).toBeNull();
  });

  it.each([
    ['0049 30 123456', 'US', '+4930123456'],
    ['0049 30 1234', 'US', '+49301234'],
    ['011 49 30 123456', 'US', '+4930123456'],
    ['0044 20 7946 0958', 'DE', '+442079460958'],
    ['0049 151 23456789', 'DE', '+4915123456789'],
    ['0011 64 9 123 4567', 'AU', '+6491234567'],
    ['0064 9 123 4567', 'AU', '+6491234567'],
  ])('%s dialed in %s is %s', (text, country, expected) => {
    expect(normalisePhoneNumber(text, country)).toBe(expected);
  });

  it('a number of North America is what libphonenumber makes of it', () => {
    const locals = ['0000000', '1111111', '1234567', '2345678', '5550123', '7654321', '9999999'];
    for (let area = 100; area < 1000; area++) {
      for (const text of locals.map((local) => `+1${area}${local}`)) {
        const parsed = parsePhoneNumberFromString(text, { extract: false });
        expect(normalisePhoneNumber(text)).toBe(parsed?.isPossible() ? parsed.number : null);
      }
    }
  });
});
