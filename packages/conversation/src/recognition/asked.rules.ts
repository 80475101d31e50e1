/**
 * What the assistant has just asked for, if people dictate it in groups: a telephone or card number, an e-mail address, a
 * spelling, an address, a date of birth. They pause for a second or two between the groups, so an answer that lacks a part
 * is given more time. Answers that are no dictation ("I have none") end as ever.
 */
import { countWords } from '../language.rules.ts';
import { askedWords, type AskedWords } from './asked-words.rules.ts';
import { countDigits, hasSpelledLetters, isWholeAddress } from './dictation.rules.ts';
import type { DictationWords } from './dictation-words.rules.ts';
import { plainWords } from './plain-words.rules.ts';
import { wholePhone } from './whole-phone.rules.ts';

/** What was asked for. */
export type Asked = Exclude<keyof AskedWords, 'requests'>;

/** In this order: "the e-mail address" is no address, and what is to be spelled is often one of the others. */
const KINDS: readonly Asked[] = ['spelling', 'email', 'card', 'phone', 'birth', 'number', 'address'];
/** The question and a remark before or after it: "What is your number? Please take your time." */
const LAST_SENTENCES = 2;
const SHORT_QUESTION_WORDS = 5;
const WHOLE_CARD = 16;
/** An answer with more words and without a sign of an e-mail address or of a date is something else. */
const FEW_WORDS = 3;
const ADDRESS_SIGN =
  /[@_]|(?:^| )(?:at|dot|ät|punkt|punt|point|punto|ponto|arobase|arroba|chiocciola|apenstaartje|underscore)(?: |$)/u;
/** A post code: "90210", "SW1A 1AA". */
const POST_CODE = /(?:^|\s)(?:\d{4,}|(?=\S*\d)(?=\S*\p{L})[\p{L}\d]{2,4}\s\d\p{L}{2})(?:\D|$)/u;
const YEAR = /(?:^|\D)(?:1[89]|20)\d{2}(?:\D|$)/u;
/** Day, month and year: "3 4 85". */
const NUMBERS_OF_DATE = 3;
const SPOKEN_YEAR =
  /(?:^| )(?:nineteen|two thousand|twenty|neunzehnhundert|zweitausend|mil|mille|deux mille|duemila|negentien|tweeduizend|dois mil)/u;

/** What the end of the assistant's text asks for; null for anything that is not dictated. */
export function askedFor(text: string, language: string): Asked | null {
  const words = askedWords(language);
  const sentences = text
    .trim()
    .split(/(?<=[.!?。！？؟])\s+/u)
    .slice(-LAST_SENTENCES);
  for (const sentence of sentences.toReversed()) {
    const said = ` ${plainWords(sentence).join(' ')} `;
    const has = (phrases: readonly string[]): boolean =>
      phrases.some((phrase) => said.includes(` ${phrase} `));
    const isRequest = has(words.requests) || isShortQuestion(sentence);
    const kind = isRequest ? KINDS.find((one) => has(words[one])) : undefined;
    if (kind !== undefined) return kind;
  }
  return null;
}

/** "And your telephone number?" */
function isShortQuestion(sentence: string): boolean {
  return /[?？؟]$/u.test(sentence) && countWords(sentence) <= SHORT_QUESTION_WORDS;
}

/**
 * Whether an answer lacks a part of what was asked for.
 *
 * @param isDictated - the answer ends within digits or letters
 */
export function lacksPart(
  answer: string,
  asked: Asked,
  { words, language, isDictated }: { words: DictationWords; language: string; isDictated: boolean },
): boolean {
  const said = plainWords(answer);
  const digits = countDigits(said, words);
  switch (asked) {
    case 'phone':
      return digits > 0 && digits < wholePhone(answer, said, { words, language });
    case 'card':
      return digits > 0 && digits < WHOLE_CARD;
    case 'number':
      return isDictated;
    case 'spelling':
      return isDictated || hasSpelledLetters(said);
    case 'email':
      return !isWholeAddress(answer) && (said.length <= FEW_WORDS || ADDRESS_SIGN.test(said.join(' ')));
    case 'address':
      return digits > 0 && !POST_CODE.test(answer);
    case 'birth':
      return (digits > 0 || said.length <= FEW_WORDS) && !hasYear(answer);
  }
}

function hasYear(answer: string): boolean {
  const numbers = answer.match(/\d+/gu) ?? [];
  return (
    numbers.length >= NUMBERS_OF_DATE || YEAR.test(answer) || SPOKEN_YEAR.test(plainWords(answer).join(' '))
  );
}
