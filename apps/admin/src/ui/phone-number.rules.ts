/** How the digits of a phone number are grouped on screen. */

/** Country calling codes of two digits (ITU-T E.164, list of assigned codes); +1 and +7 have one, all others have three. */
const TWO_DIGITS = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/**
 * The groups of a number in E.164: country code and digits in threes, with a last group of up to four. North American
 * numbers are grouped as they are written there. Together the groups are the text; other texts are one group.
 */
export function groupDigits(number: string): string[] {
  if (!/^\+[1-9]\d{6,14}$/.test(number)) return [number];
  const digits = number.slice(1);
  if (/^1\d{10}$/.test(digits)) return ['+1', digits.slice(1, 4), digits.slice(4, 7), digits.slice(7)];
  const codeLength = /^[17]/.test(digits) ? 1 : TWO_DIGITS.test(digits) ? 2 : 3;
  return [`+${digits.slice(0, codeLength)}`, ...threes(digits.slice(codeLength))];
}

/** The parts of a text, in their order; each number in E.164 is a part of its own. */
export function splitAtNumbers(text: string): string[] {
  return text.split(/(\+[1-9]\d{6,14})(?!\d)/).filter(Boolean);
}

/** No group has a single digit. */
function threes(digits: string): string[] {
  if (digits.length <= 4) return [digits];
  return [digits.slice(0, 3), ...threes(digits.slice(3))];
}
