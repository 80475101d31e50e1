/**
 * What kind of number a call would go to, and in which country. The ranges come from the metadata of libphonenumber, which
 * follows the numbering plans; the networks above the countries are the assignments of ITU-T Recommendation E.164, Annex.
 */
import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type NumberType,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import type { NumberKind } from '@parley/contracts';
import metadata from 'libphonenumber-js/max/metadata';

/** Where a call would go. */
export interface Destination {
  /** Two letters; null for numbers of no country. */
  country: string | null;
  /** Null: an ordinary number, of a landline, a mobile phone or a freephone service. */
  kind: NumberKind | null;
}

/** Calling codes of no country. +800 is freephone and therefore missing; +808 and +979 have a type. */
const NETWORKS: Readonly<Record<string, NumberKind>> = {
  '870': 'satellite',
  '881': 'satellite',
  '878': 'international_network',
  '882': 'international_network',
  '883': 'international_network',
  '888': 'international_network',
};

const KINDS: Partial<Record<NonNullable<NumberType>, NumberKind>> = {
  PREMIUM_RATE: 'premium',
  SHARED_COST: 'shared_cost',
  PERSONAL_NUMBER: 'personal',
  UAN: 'company',
  PAGER: 'pager',
  VOICEMAIL: 'voicemail',
};

/** Numbers of these calling codes cost differently by country. Elsewhere the smaller countries count as the main one. */
const SPLIT_CODES = new Set(['1', '7']);

/** @param e164 - a number that is possible */
export function destinationOf(e164: string): Destination {
  const parsed = parsePhoneNumberFromString(e164);
  if (!parsed) return { country: null, kind: null };
  const { countryCallingCode: code } = parsed;
  const kind = NETWORKS[code] ?? KINDS[typeOf(parsed) ?? 'MOBILE'] ?? null;
  return { country: countryOf(code, parsed.country), kind };
}

/**
 * The country under whose name a country is allowed: Guernsey's mobile numbers, for example, cannot be told from other
 * British ones by those who call them.
 *
 * @returns null for a code that is no country's
 */
export function tariffCountry(code: string): string | null {
  return isSupportedCountry(code) ? countryOf(getCountryCallingCode(code), code) : null;
}

function countryOf(callingCode: string, country: string | undefined): string | null {
  if (country !== undefined && SPLIT_CODES.has(callingCode)) return country;
  const countries: Readonly<Record<string, readonly string[]>> = metadata.country_calling_codes;
  const [main = null] = countries[callingCode] ?? [];
  // The networks above the countries have a code in the metadata too, which is `001`.
  return main !== null && isSupportedCountry(main) ? main : null;
}

/** Digits that may be missing from a number that an exchange nevertheless puts through, or that it ignores at the end. */
const SPARE_DIGITS = 3;

/**
 * Exchanges route by the first digits, whatever the length, but libphonenumber has a type only for numbers of the exact
 * length. So a number without a type is looked up again somewhat longer and somewhat shorter.
 */
function typeOf(parsed: PhoneNumber): NumberType {
  const type = parsed.getType();
  if (type !== undefined) return type;
  const digits = parsed.number;
  for (let spare = 1; spare <= SPARE_DIGITS; spare++) {
    for (const similar of [digits + '0'.repeat(spare), digits.slice(0, -spare)]) {
      const found = parsePhoneNumberFromString(similar)?.getType();
      if (found !== undefined && found in KINDS) return found;
    }
  }
  return undefined;
}
