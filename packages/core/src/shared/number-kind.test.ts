import { describe, expect, it } from 'vitest';
import { BLOCKED_NUMBERS, SCAM_NUMBERS } from '../../test/fraud-numbers.ts';
import { destinationOf, tariffCountry } from './number-kind.ts';

describe('where a number leads', () => {
  it.each(BLOCKED_NUMBERS)('%s (%s) is of the kind %s', (_what, phoneNumber, kind) => {
    expect(destinationOf(phoneNumber).kind).toBe(kind);
  });

  it.each<readonly [string, string]>([
    ['US', '+12025550142'],
    ['US', '+15551234567'],
    ['CA', '+14165550123'],
    ['PR', '+17875551234'],
    ['DE', '+4915123456789'],
    ['DE', '+49301234567'],
    ['RU', '+79031234567'],
    ['KZ', '+77011234567'],
    ...SCAM_NUMBERS,
  ])('an ordinary number of %s is %s', (country, phoneNumber) => {
    expect(destinationOf(phoneNumber)).toEqual({ country, kind: null });
  });

  it.each([
    ['a mobile number of Guernsey', '+447911123456', 'GB'],
    ['Jersey', '+441534123456', 'GB'],
    ['a number that may be in several of them', '+442098765432', 'GB'],
    ['the Vatican', '+390669812345', 'IT'],
    ['the Åland Islands', '+35818123456', 'FI'],
  ])('%s counts as the main country of its calling code', (_what, phoneNumber, country) => {
    expect(destinationOf(phoneNumber).country).toBe(country);
    expect(tariffCountry(country)).toBe(country);
  });

  it.each([
    ['GG', 'GB'],
    ['KZ', 'KZ'],
    ['JM', 'JM'],
    ['XX', null],
    ['001', null],
  ])('the code %s stands for %s', (code, country) => {
    expect(tariffCountry(code)).toBe(country);
  });

  it('freephone of no country is ordinary', () => {
    expect(destinationOf('+80012345678')).toEqual({ country: null, kind: null });
  });
});
