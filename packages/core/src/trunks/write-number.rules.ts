/** How the numbers of outbound calls and transfers are written to a trunk. `readUserPart` is the way back. */
import type { TrunkRow } from '@parley/db';
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * RFC 3966 section 5.1.4: "Globally unique numbers are identified by the leading "+" character." User parts that are no
 * such number (an extension, a name) stay as they are.
 */
const E164 = /^\+\d+$/;

/**
 * `national`: as it is dialed in the country of the trunk, abroad with the international prefix of that country. Where a
 * caller has to choose a carrier for calls abroad, as in Brazil, there is no single form, and the number keeps its plus.
 *
 * @param number - in E.164, or any other user part
 */
export function writeNumberTo(
  { numberFormat, defaultCountry }: Pick<TrunkRow, 'numberFormat' | 'defaultCountry'>,
  number: string,
): string {
  if (!E164.test(number) || numberFormat === 'e164') return number;
  return numberFormat === 'e164_without_plus' ? number.slice(1) : asDialedIn(defaultCountry, number);
}

function asDialedIn(country: string | null, number: string): string {
  const parsed = parsePhoneNumberFromString(number);
  if (!parsed || country === null || !isSupportedCountry(country)) return number;
  const isAbroad = parsed.countryCallingCode !== getCountryCallingCode(country);
  const dialed = isAbroad ? parsed.format('IDD', { fromCountry: country }) : parsed.formatNational();
  return dialed?.replaceAll(/\D/g, '') ?? number;
}
