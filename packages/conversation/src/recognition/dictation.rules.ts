/**
 * Whether a text ends within something that is dictated: digits in groups ("0 2 0 ... 7 9 4 6"), a spelling ("M, I, double
 * L"), an e-mail address ("my e-mail is john at example"). People pause for a second between the groups. Recognisers write
 * single letters and digits as other words ("S, T, O, N" as "And steward"), so that cues ("spelled", "my number is") decide first.
 */
import type { DictationWords } from './dictation-words.rules.ts';
import { plainWords } from './plain-words.rules.ts';

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
/** What a cue announces is dictated in at most this many words, with those of the cue and without those that are spelled. */
const CUE_WORDS = 16;

const DIGIT_GROUP = /^\d+(?:-\d+)*$/u;
/** Within so many words at the end: "S as in sugar". */
const LETTER_WORDS = 4;
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
  if (isSpelling(text, words.spellingCues) || isWithinAddress(text, said, words.addressCues))
    return 'dictated';
  const { count, groups, hasOnlyDigits } = dictatedAtEnd(said, words.digits);
  if (hasOnlyDigits && count >= WHOLE_NUMBER) return 'digits';
  if (isWithinNumber(said, words)) return 'dictated';
  if (count < (hasOnlyDigits && groups < LEAST_SPOKEN ? LEAST_DIGITS : LEAST_SPOKEN)) return null;
  return hasOnlyDigits && groups <= LEAST_SPOKEN && SINGLE_NUMBER.test(text) ? null : 'dictated';
}

/** Whether letters were announced and have begun. */
export function isSpelling(text: string, cues: readonly string[]): boolean {
  return (afterCue(plainWords(text), cues) ?? '') !== '';
}

/** The digits in all words. */
export function countDigits(said: readonly string[], { digits }: DictationWords): number {
  return said.reduce((sum, word) => sum + digitsOf(word, digits), 0);
}

/** Whether one of the last words is a single letter: "S as in sugar". */
export function hasSpelledLetters(said: readonly string[]): boolean {
  return said.slice(-LETTER_WORDS).some((word) => LETTER.test(word));
}

/** Whether a text contains a complete e-mail address, written or spoken. */
export function isWholeAddress(text: string): boolean {
  if (WHOLE_ADDRESS.test(text)) return true;
  const said = ` ${plainWords(text).join(' ')}`;
  const at = said.search(SPOKEN_AT);
  return at >= 0 && SPOKEN_DOMAIN.test(said.slice(at));
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
    run.count += isLetter ? 1 : digitsOf(word, digits);
    run.groups += 1;
  }
  return run;
}

function isWithinAddress(text: string, said: readonly string[], cues: readonly string[]): boolean {
  const address = afterCue(said, cues);
  return address !== null && !WHOLE_ADDRESS.test(text) && !isWholeAddress(address);
}

/** Whether a number was announced last, or has begun after its cue and is not complete. */
function isWithinNumber(said: readonly string[], words: DictationWords): boolean {
  const number = afterCue(said, words.numberCues);
  if (number === '') return true; // people look it up
  const count = countDigits(number?.split(' ') ?? [], words);
  return count > 0 && count < WHOLE_NUMBER;
}

function digitsOf(word: string, digits: readonly string[]): number {
  if (DIGIT_GROUP.test(word)) return word.replaceAll('-', '').length;
  return word.split('-').filter((part) => digits.includes(part)).length;
}

/** What was said after the last cue; null if that was long ago. */
function afterCue(said: readonly string[], cues: readonly string[]): string | null {
  const end = ` ${said.slice(startOfEnd(said)).join(' ')} `;
  const ends = cues.map((cue) => ` ${cue} `).filter((cue) => end.includes(cue));
  if (ends.length === 0) return null;
  return end.slice(Math.max(...ends.map((cue) => end.lastIndexOf(cue) + cue.length))).trim();
}

/** Where the last {@link CUE_WORDS} words begin; a long name that is spelled does not count against them. */
function startOfEnd(said: readonly string[]): number {
  const isLetter = (at: number): boolean => LETTER.test(said[at] ?? '');
  let left = CUE_WORDS;
  let start = said.length;
  while (start > 0 && left > 0) {
    start -= 1;
    const isSpelled = isLetter(start) && (isLetter(start - 1) || isLetter(start + 1)); // unlike "a" and "I"
    if (!isSpelled) left -= 1;
  }
  return start;
}
