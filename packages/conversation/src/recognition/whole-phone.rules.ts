/**
 * From how many digits on a dictated telephone number may be complete, by its beginning. Numbers of one kind differ in length
 * in most numbering plans, so this is a common length; another group may still follow.
 */
import { rowOf } from '../language.rules.ts';
import type { DictationWords } from './dictation-words.rules.ts';

/** A national number without a trunk prefix: "202 555 0143", "06 12 34 56 78". */
const NATIONAL = 10;
/** Where it begins with 0. Germans say the rest in pairs: "0151 23 45 67 89". */
const WITH_TRUNK_PREFIX: Readonly<Record<string, number>> = { de: 11 };
/** "1 202 555 0143". */
const WITH_COUNTRY_CODE_1: Readonly<Record<string, number>> = { en: 11 };
/** With the country code: +1 and the countries of +3 have 11 digits, most others 12 (ITU-T E.164 allows 15). */
const INTERNATIONAL = 12;
const SHORT_INTERNATIONAL = 11;
const SHORT_COUNTRY_CODES = /^[13]/u;

const PLUS = /\+|(?:^|\s)(?:plus|più|mais|más)\s/iu;
/** What callers dial instead of the plus. */
const INTERNATIONAL_PREFIX = '00';
const ZERO = /^(?:zero|oh|nought|null|cero|zéro|nul)$/u;

/**
 * @param said - the words of the text
 * @param language - BCP 47 or a two-letter code
 * @returns digits, with those of the international prefix
 */
export function wholePhone(
  text: string,
  said: readonly string[],
  { words, language }: { words: DictationWords; language: string },
): number {
  const start = said.map((word) => leadingDigits(word, words)).join('');
  if (PLUS.test(text)) return international(start);
  if (start.startsWith(INTERNATIONAL_PREFIX))
    return INTERNATIONAL_PREFIX.length + international(start.slice(INTERNATIONAL_PREFIX.length));
  if (start.startsWith('0')) return rowOf(WITH_TRUNK_PREFIX, language, NATIONAL);
  return start.startsWith('1') ? rowOf(WITH_COUNTRY_CODE_1, language, NATIONAL) : NATIONAL;
}

function international(digits: string): number {
  return SHORT_COUNTRY_CODES.test(digits) ? SHORT_INTERNATIONAL : INTERNATIONAL;
}

/** Only the values of 0 matter among the words; the other digits in words are `?`. */
function leadingDigits(word: string, { digits }: DictationWords): string {
  if (ZERO.test(word)) return '0';
  return digits.includes(word) ? '?' : word.replaceAll(/\D/gu, '');
}
