/**
 * Whether a text ends within something that is dictated: digits in groups ("0 2 0 ... 7 9 4 6"), a spelling ("M, I, double
 * L"), an e-mail address ("my e-mail is john at example"). People pause for a second between the groups.
 */
import { plainWords } from './plain-words.rules.ts';

/** The lists of a language. */
export interface DictationWords {
  /** Digits in words, and what repeats the next one. */
  digits: readonly string[];
  /** After these, an e-mail address follows. */
  addressCues: readonly string[];
}

/** One dictated digit is no dictation yet ("at 7"), nor are two of one group ("room 12"). */
const LEAST_SPOKEN = 2;
const LEAST_DIGITS = 3;
/**
 * Recognisers write some digits and letters as short words that sound alike ("to", "for", "are", "Lee"). Among at least so
 * many others one such word at a time is a part of the dictation; at the end only in a spelling.
 */
const CERTAIN_AROUND = 3;
const LONGEST_ALIKE = 3;
/** Telephone numbers are complete from here on; another group may still follow. */
const WHOLE_NUMBER = 10;
/** An e-mail address is dictated in at most this many words after the cue. */
const ADDRESS_WORDS = 16;

const DIGIT_GROUP = /^\d+(?:-\d+)*$/u;
const LETTER = /^\p{L}$/u;
/** "7:30", "12.50", "2026": a time, an amount, a year. */
const SINGLE_NUMBER = /(?:^|\s)\D?(?:\d{1,2}[:.]\d{2}|(?:19|20)\d{2})\D{0,2}$/u;
/** "john@example.com", or "john at example dot com". */
const WHOLE_ADDRESS = /[^\s@]@[^\s@.]+\.\p{L}{2}/u;
const SPOKEN_AT = / (?:@|at|ät|arobase|arroba|chiocciola|apenstaartje|klammeraffe) /u;
const SPOKEN_DOMAIN = / (?:dot|point|ponto|punkt|punt|punto) \p{L}{2}/u;

/** @returns how the text ends because of a dictation; `digits`: the number is complete; null: it is no dictation */
export function dictationAtEnd(text: string, words: DictationWords): 'dictated' | 'digits' | null {
  const said = plainWords(text);
  if (isWithinAddress(text, said, words.addressCues)) return 'dictated';
  const { count, groups, hasOnlyDigits } = dictatedAtEnd(said, words.digits);
  if (count < (hasOnlyDigits && groups < LEAST_SPOKEN ? LEAST_DIGITS : LEAST_SPOKEN)) return null;
  if (hasOnlyDigits && groups <= LEAST_SPOKEN && SINGLE_NUMBER.test(text)) return null;
  return hasOnlyDigits && count >= WHOLE_NUMBER ? 'digits' : 'dictated';
}

interface Dictated {
  count: number;
  groups: number;
  hasOnlyDigits: boolean;
}

/** The digits and letters that are said one by one at the end. */
function dictatedAtEnd(said: readonly string[], digits: readonly string[]): Dictated {
  const surely = runAtEnd(said, digits, false);
  const probably = runAtEnd(said, digits, true);
  const endsSurely = surely.count > 0 || !probably.hasOnlyDigits;
  return probably.groups >= CERTAIN_AROUND && endsSurely ? probably : surely;
}

/** @param hasAlikes - single short words among them are digits or letters, too */
function runAtEnd(said: readonly string[], digits: readonly string[], hasAlikes: boolean): Dictated {
  const run: Dictated = { count: 0, groups: 0, hasOnlyDigits: true };
  let wasAlike = false;
  for (const word of said.toReversed()) {
    const isGroup = DIGIT_GROUP.test(word);
    const isLetter = !isGroup && LETTER.test(word);
    const isCertain = isGroup || isLetter || digits.includes(word);
    if (!isCertain && (!hasAlikes || wasAlike || word.length > LONGEST_ALIKE)) break;
    wasAlike = !isCertain;
    if (wasAlike) continue;
    run.hasOnlyDigits &&= !isLetter;
    run.count += isGroup ? word.replaceAll('-', '').length : 1;
    run.groups += 1;
  }
  return run;
}

function isWithinAddress(text: string, said: readonly string[], cues: readonly string[]): boolean {
  if (cues.length === 0 || WHOLE_ADDRESS.test(text)) return false;
  const end = ` ${said.slice(-ADDRESS_WORDS).join(' ')} `;
  const cue = cues.findLast((phrase) => end.includes(` ${phrase} `));
  if (cue === undefined) return false;
  const address = end.slice(end.lastIndexOf(` ${cue} `) + cue.length + 2).trim();
  const at = ` ${address}`.search(SPOKEN_AT);
  return at < 0 || !SPOKEN_DOMAIN.test(address.slice(at));
}
