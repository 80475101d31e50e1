/** Reads phone numbers as people type them and converts them to E.164. docs/api.md, "Leads", lists what is refused. */
import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js/max';

/**
 * Every North American number has ten digits, the first of them 2 to 9. A metadata lookup would cost more than writing
 * a lead; a test checks that both give the same result.
 */
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

/** ITU-T E.164, section 6.2.1: "a maximum of 15 digits". */
const E164 = /^\+\d{1,15}$/;
/** The international prefix of most countries. */
const INTERNATIONAL_PREFIX = /^\s*0\s*0\s*/;

/** True for a number that begins with `00`. Some countries have longer prefixes that begin with it. */
export function hasInternationalPrefix(text: string): boolean {
  return INTERNATIONAL_PREFIX.test(text);
}

/**
 * Reads a number with the metadata of libphonenumber. Spaces and punctuation are allowed. Without `+` the number is
 * read as dialed in `defaultCountry`, and with `00` as an international number. Only the carrier can tell whether a
 * possible number exists.
 *
 * @returns E.164, or null for an impossible number (unknown country, wrong length, an extension)
 */
export function normalisePhoneNumber(text: string, defaultCountry: string | null = null): string | null {
  if (NORTH_AMERICAN.test(text)) return text;
  const country = defaultCountry !== null && isSupportedCountry(defaultCountry) ? defaultCountry : undefined;
  const number = parse(text, country);
  if (!hasInternationalPrefix(text)) return number;
  // Australia's international prefix is 0011: the country's own prefix takes precedence.
  const isAbroad =
    country !== undefined && number?.startsWith(`+${getCountryCallingCode(country)}`) === false;
  return isAbroad ? number : (parse(text.replace(INTERNATIONAL_PREFIX, '+')) ?? number);
}

/**
 * Reads the user part of a SIP URI, in which carriers write numbers with `+`, with an international prefix, as national
 * numbers, or as international numbers without any prefix.
 *
 * @param country - that of the number at our end, in which national numbers and international prefixes are read
 * @returns E.164, or the user part itself if it is no number (an extension, a name)
 */
export function readUserPart(user: string, country: string | null): string {
  return numberWithoutPrefix(user, country) ?? normalisePhoneNumber(user, country) ?? user;
}

/** North American carriers send ten digits; others write a national number with its prefix, so `+` alone is missing. */
function numberWithoutPrefix(user: string, country: string | null): string | null {
  if (!/^[1-9]\d{7,14}$/.test(user)) return null;
  const isNational = /^[2-9]\d{9}$/.test(user) && isInNorthAmerica(country);
  return isNational ? `+1${user}` : normalisePhoneNumber(`+${user}`);
}

function isInNorthAmerica(country: string | null): boolean {
  return country !== null && isSupportedCountry(country) && getCountryCallingCode(country) === '1';
}

function parse(text: string, defaultCountry?: CountryCode): string | null {
  const parsed = parsePhoneNumberFromString(text.trim(), {
    extract: false,
    ...(defaultCountry && { defaultCountry }),
  });
  if (!parsed?.isPossible() || parsed.ext !== undefined) return null;
  return E164.test(parsed.number) ? parsed.number : null;
}

/** The digits of a number in E.164 without its country code. */
export function nationalDigits(number: string): string {
  return parsePhoneNumberFromString(number)?.nationalNumber ?? number.slice(1);
}

/** True for a country code (two upper-case letters) by which numbers without `+` can be read. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code);
}

/** Every country for which {@link isCountry} is true. */
export function numberCountries(): readonly string[] {
  return getCountries();
}

/** A code that ISO 3166 reserves for private use, for numbers without a country such as +800. */
const NO_COUNTRY = 'ZZ';

/**
 * @returns two upper-case letters; the main country where several share a calling code and the number belongs to none
 *    of them
 */
export function countryOfNumber(e164: string): string {
  const parsed = parsePhoneNumberFromString(e164);
  return parsed?.country ?? parsed?.getPossibleCountries()[0] ?? NO_COUNTRY;
}

/**
 * @returns the country of a number, or all candidates where several share its calling code; none for +800 and the like
 */
export function countriesOfNumber(e164: string): readonly string[] {
  const parsed = parsePhoneNumberFromString(e164);
  if (!parsed) return [];
  return parsed.country ? [parsed.country] : parsed.getPossibleCountries();
}
