/**
 * The kind and country of a dialed number. The ranges come from the metadata of libphonenumber, which follows the
 * numbering plans; those of networks without a country come from ITU-T Recommendation E.164, Annex.
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

/** The destination of a call. */
export interface Destination {
  /** Two letters; null for a number without a country. */
  country: string | null;
  /** Null for an ordinary number: landline, mobile or freephone. */
  kind: NumberKind | null;
}

/**
 * Calling codes without a country. +800 is freephone and therefore absent; +808 and +979 have a type in the metadata.
 */
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

/** Calling codes whose countries have different prices. Elsewhere the smaller countries count as the main one. */
const SPLIT_CODES = new Set(['1', '7']);

/** @param e164 - a possible number */
export function destinationOf(e164: string): Destination {
  const parsed = parsePhoneNumberFromString(e164);
  if (!parsed) return { country: null, kind: null };
  const { countryCallingCode: code } = parsed;
  const kind = NETWORKS[code] ?? KINDS[typeOf(parsed) ?? 'MOBILE'] ?? null;
  return { country: countryOf(code, parsed.country), kind };
}

/**
 * The country by which a number is allowed or refused: callers cannot distinguish Guernsey's mobile numbers, for
 * example, from other British ones.
 *
 * @returns null for a code that belongs to no country
 */
export function tariffCountry(code: string): string | null {
  return isSupportedCountry(code) ? countryOf(getCountryCallingCode(code), code) : null;
}

function countryOf(callingCode: string, country: string | undefined): string | null {
  if (country !== undefined && SPLIT_CODES.has(callingCode)) return country;
  const countries: Readonly<Record<string, readonly string[]>> = metadata.country_calling_codes;
  const [main = null] = countries[callingCode] ?? [];
  // The metadata also contains networks without a country, under the code `001`.
  return main !== null && isSupportedCountry(main) ? main : null;
}

/** The number of digits by which a dialed number may be too short or too long and still be connected. */
const SPARE_DIGITS = 3;

/**
 * Exchanges route by the first digits whatever the length, but libphonenumber has a type only for numbers of the exact
 * length. Therefore a number without a type is looked up again with up to three digits more or fewer.
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
