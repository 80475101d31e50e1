/** Phone numbers as people type them, turned into E.164. See docs/api.md, "Leads", for what is refused. */
import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/max';

/**
 * Every number of North America is ten digits, the first of them 2 to 9. Looking it up there costs more than writing a
 * lead, and answers with the same text: the test asks for both.
 */
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

/** ITU-T E.164, section 6.2.1: "a maximum of 15 digits". */
const E164 = /^\+\d{1,15}$/;
/** What most countries dial before an international number. */
const INTERNATIONAL_PREFIX = /^\s*0\s*0\s*/;

/** True for a number that begins with `00`. Some countries dial longer prefixes that begin so. */
export function hasInternationalPrefix(text: string): boolean {
  return INTERNATIONAL_PREFIX.test(text);
}

/**
 * Reads a number with the metadata of libphonenumber. Spaces and punctuation are fine; without `+` it is read as it is
 * dialed in `defaultCountry`, and with `00` as an international number. Whether a possible number exists is the carrier's
 * business.
 *
 * @returns E.164, or null when no such number is possible (unknown country, wrong length, an extension)
 */
export function normalisePhoneNumber(text: string, defaultCountry: string | null = null): string | null {
  if (NORTH_AMERICAN.test(text)) return text;
  const country = defaultCountry !== null && isSupportedCountry(defaultCountry) ? defaultCountry : undefined;
  const number = parse(text, country);
  if (!hasInternationalPrefix(text)) return number;
  // Australia dials 0011 before an international number: where the country's own prefix fits, it decides.
  const isAbroad =
    country !== undefined && number?.startsWith(`+${getCountryCallingCode(country)}`) === false;
  return isAbroad ? number : (parse(text.replace(INTERNATIONAL_PREFIX, '+')) ?? number);
}

function parse(text: string, defaultCountry?: CountryCode): string | null {
  const parsed = parsePhoneNumberFromString(text.trim(), {
    extract: false,
    ...(defaultCountry && { defaultCountry }),
  });
  if (!parsed?.isPossible() || parsed.ext !== undefined) return null;
  return E164.test(parsed.number) ? parsed.number : null;
}

/** True for two upper-case letters that numbers without `+` can be read by. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code);
}

/** What ISO 3166 keeps free, for numbers of no country, such as +800. */
const NO_COUNTRY = 'ZZ';

/** @returns two letters, upper case; where several countries share a code and the number is nobody's, the main one */
export function countryOfNumber(e164: string): string {
  const parsed = parsePhoneNumberFromString(e164);
  return parsed?.country ?? parsed?.getPossibleCountries()[0] ?? NO_COUNTRY;
}

/** @returns the country of a number, or all that it may be of where several share its code; none for +800 and the like */
export function countriesOfNumber(e164: string): readonly string[] {
  const parsed = parsePhoneNumberFromString(e164);
  if (!parsed) return [];
  return parsed.country ? [parsed.country] : parsed.getPossibleCountries();
}
