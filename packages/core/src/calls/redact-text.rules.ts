/**
 * Removes card numbers, email addresses and phone numbers from what was said and written in a call, by the kinds that an
 * assistant asks for. Numbers and addresses count as people say them too. See docs/decisions/redaction.md.
 */
import type { RedactedKind } from '@parley/contracts';
import { digitRunsOf, type DigitRun } from './spoken-digits.rules.ts';

const MARKS: Record<RedactedKind, string> = {
  card_number: '[card number]',
  email: '[email address]',
  phone_number: '[phone number]',
};

/** ISO/IEC 7812: the number of digits of a card number, with its check digit. */
const CARD_DIGITS = { fewest: 13, most: 19 };
/** ITU-T E.164: 15 digits at most. Shorter ones than this are times, prices and years more often than phone numbers. */
const PHONE_DIGITS = { fewest: 7, most: 15 };

/** A part of a text that is replaced. */
interface Found {
  start: number;
  end: number;
  kind: RedactedKind;
}

/**
 * The text without what these kinds name. A second application changes nothing.
 *
 * @param cards - numbers in this text that are parts of a card number
 */
export function redactText(
  text: string,
  kinds: readonly RedactedKind[],
  cards: readonly DigitRun[] = [],
): string {
  const found: Found[] = [];
  if (kinds.includes('email')) found.push(...emailsOf(text));
  for (const run of digitRunsOf(text)) {
    const kind = kindOf(text, run, kinds, cards);
    if (kind) found.push({ start: startWithPlus(text, run.start), end: run.end, kind });
  }
  return replaced(text, found);
}

/**
 * The numbers that form a card number only together, because they were dictated in parts.
 *
 * @param texts - what one person said, in order
 * @returns for each text, the numbers in it that belong to a card number
 */
export function cardsInParts(texts: readonly string[]): DigitRun[][] {
  const parts = texts.flatMap((text, index) => digitRunsOf(text).map((run) => ({ index, run })));
  const digits = parts.map(({ run }) => run.digits);
  const result = texts.map((): DigitRun[] => []);
  for (const from of parts.keys()) {
    for (const to of partsOfCard(digits, from))
      for (const { index, run } of parts.slice(from, to + 1)) result[index]?.push(run);
  }
  return result;
}

/** The index of the last part of each card number that begins with this part and has several. */
function partsOfCard(digits: readonly string[], from: number): number[] {
  const found: number[] = [];
  let joined = '';
  for (let to = from; to < digits.length && joined.length <= CARD_DIGITS.most; to++) {
    const part = digits[to] ?? '';
    if (part.length < SHORTEST_PART) return found;
    joined += part;
    if (to > from && isCardNumber(joined)) found.push(to);
  }
  return found;
}

/** People dictate groups of four, and the first or last of them may have three digits. */
const SHORTEST_PART = 3;

/** The kind of a number; null where it stays. */
function kindOf(
  text: string,
  run: DigitRun,
  kinds: readonly RedactedKind[],
  cards: readonly DigitRun[],
): RedactedKind | null {
  const isPart = cards.some(({ start, end }) => start === run.start && end === run.end);
  if (
    kinds.includes('card_number') &&
    (isPart || isCardNumber(run.digits) || beginsWithCardNumber(run.digits))
  )
    return 'card_number';
  const { length } = run.digits;
  if (!kinds.includes('phone_number') || length < PHONE_DIGITS.fewest) return null;
  return isDate(text.slice(run.start, run.end)) ? null : 'phone_number';
}

/** Whether it has the length and the check digit (Luhn, ISO/IEC 7812-1 annex B) of a card number. */
export function isCardNumber(digits: string): boolean {
  const { length } = digits;
  return length >= CARD_DIGITS.fewest && length <= CARD_DIGITS.most && luhnSum(digits) % 10 === 0;
}

/** What may follow a card number without a word between: the security code, the expiry date, or both. */
const CARD_TAIL_DIGITS = new Set([3, 4, 7, 8]);
/** The usual lengths of card numbers. */
const USUAL_CARD_DIGITS = [15, 16];

function beginsWithCardNumber(digits: string): boolean {
  return USUAL_CARD_DIGITS.some(
    (length) => CARD_TAIL_DIGITS.has(digits.length - length) && isCardNumber(digits.slice(0, length)),
  );
}

function luhnSum(digits: string): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum;
}

/** `2026-01-31`, `31.01.2026`, `31-1-2026`. */
function isDate(written: string): boolean {
  return /^\d{4}-\d{1,2}-\d{1,2}$/.test(written) || /^\d{1,2}([.-])\d{1,2}\1\d{4}$/.test(written);
}

function startWithPlus(text: string, start: number): number {
  return text[start - 1] === '+' ? start - 1 : start;
}

const AT_WORDS = new Set(['at', 'ät', 'arroba', 'arobase', 'chiocciola', 'apenstaartje']);
const DOT_WORDS = new Set(['dot', 'punkt', 'punto', 'point', 'ponto', 'punt']);
const SIGN_WORDS = new Set([
  ...DOT_WORDS,
  'dash',
  'hyphen',
  'underscore',
  'minus',
  'bindestrich',
  'unterstrich',
]);
/** A word of an address, or `@` or a dot on its own. */
const ADDRESS_WORD = /[\p{L}\p{N}_+%-]+|[@.]/gu;
const SPACES = /^\s*$/;

interface Part {
  start: number;
  end: number;
  text: string;
}

const isAt = ({ text }: Part): boolean => text === '@' || AT_WORDS.has(text);
const isDot = ({ text }: Part): boolean => text === '.' || DOT_WORDS.has(text);
const isWritten = ({ text }: Part): boolean => text === '@' || text === '.';

/** Addresses as they are written, and as they are said: `anna dot smith at example dot com`. */
function emailsOf(text: string): Found[] {
  const parts = [...text.matchAll(ADDRESS_WORD)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    text: found.toLowerCase(),
  }));
  const found: Found[] = [];
  let free = 0;
  for (const [index, part] of parts.entries()) {
    if (!isAt(part)) continue;
    const last = domainEnd(text, parts, index);
    const first = localStart(text, parts, index, free);
    if (last === null || first === null) continue;
    free = last + 1;
    found.push({ start: parts[first]?.start ?? 0, end: parts[last]?.end ?? 0, kind: 'email' });
  }
  return found;
}

/** Whether two parts may belong to one address: with nothing between them, or with blanks if one of them is a word for a sign. */
function touches(text: string, one: Part, other: Part): boolean {
  const between = text.slice(one.end, other.start);
  return between === '' || (SPACES.test(between) && !(isWritten(one) && isWritten(other)));
}

/** @returns the index of the last part of the domain; null: no domain follows */
function domainEnd(text: string, parts: readonly Part[], at: number): number | null {
  let end: number | null = null;
  for (let index = at + 1; ; index += 2) {
    const [before, label, dot] = [parts[index - 1], parts[index], parts[index + 1]];
    if (!before || !label || isDot(label) || isAt(label) || !touches(text, before, label)) return end;
    if (index > at + 1) end = index;
    const next = parts[index + 2];
    // A dot before a blank ends a sentence.
    if (!dot || !isDot(dot) || !touches(text, label, dot)) return end;
    if (dot.text === '.' && next?.start !== dot.end) return end;
  }
}

/** @returns the index of the first part of the local part; null: there is none */
function localStart(text: string, parts: readonly Part[], at: number, free: number): number | null {
  let start: number | null = null;
  for (let index = at - 1; index >= free; index--) {
    const [part, after] = [parts[index], parts[index + 1]];
    if (!part || !after || isAt(part)) return start;
    const between = text.slice(part.end, after.start);
    const isSign = SIGN_WORDS.has(part.text) || part.text === '.';
    const followsSign = isAt(after) || SIGN_WORDS.has(after.text) || after.text === '.';
    if (isSign ? part.text === '.' && between !== '' : !followsSign || !SPACES.test(between)) return start;
    if (!isSign) start = index;
  }
  return start;
}

function replaced(text: string, found: readonly Found[]): string {
  let result = '';
  let done = 0;
  for (const { start, end, kind } of found.toSorted((one, other) => one.start - other.start)) {
    if (start < done) continue;
    result += text.slice(done, start) + MARKS[kind];
    done = end;
  }
  return result + text.slice(done);
}
