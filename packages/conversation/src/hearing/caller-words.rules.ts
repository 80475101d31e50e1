/**
 * What the caller's words say about the conversation itself: stop, go on, I am not done, I ask. By short lists of words
 * and not by a model, so that the answer is there within the frame and the same each time.
 */
import { wordLists } from './word-lists.rules.ts';

/** How the caller sounds, for the words that fill a pause. The keys are those of `filler_config`. */
export type Mood = 'neutral' | 'negative' | 'positive' | 'question';

/** Where a text stands: `finished` ends like a sentence, `unfinished` must go on, `digits` may go on, else `open`. */
export type Ending = 'finished' | 'unfinished' | 'digits' | 'open';

const DIGITS_AT_END = /\d[\s.-]*$/u;
const SENTENCE_END = /[.!?。！？]["'”’»)]*$/u;

/** Whether the caller wants the assistant to be quiet now. */
export function isStop(text: string, language: string): boolean {
  return startsWithAny(text, wordLists(language).stops);
}

/** Whether these are nothing but "mm-hm" and "yes, right": signs of listening. False for no words at all. */
export function isBackchannel(text: string, language: string): boolean {
  const { backchannels } = wordLists(language);
  let rest = plainWords(text);
  if (rest.length === 0) return false;
  while (rest.length > 0) {
    const length = longestAtStart(rest, backchannels);
    if (length === 0) return false;
    rest = rest.slice(length);
  }
  return true;
}

/** Whether the caller's turn may end with these words. */
export function endingOf(text: string, language: string): Ending {
  const trimmed = text.trim();
  if (trimmed.endsWith('?')) return 'finished';
  if (endsWithAny(trimmed, wordLists(language).unfinished)) return 'unfinished';
  if (DIGITS_AT_END.test(trimmed.replace(SENTENCE_END, ''))) return 'digits';
  return SENTENCE_END.test(trimmed) ? 'finished' : 'open';
}

/** The mood in which the caller said it. */
export function moodOf(text: string, language: string): Mood {
  const { questions, negatives, positives } = wordLists(language);
  if (text.trim().endsWith('?') || startsWithAny(text, questions)) return 'question';
  if (hasAny(text, negatives)) return 'negative';
  return hasAny(text, positives) ? 'positive' : 'neutral';
}

function startsWithAny(text: string, phrases: readonly string[]): boolean {
  return longestAtStart(plainWords(text), phrases) > 0;
}

function endsWithAny(text: string, phrases: readonly string[]): boolean {
  const said = ` ${plainWords(text).join(' ')}`;
  return phrases.some((phrase) => said.endsWith(` ${phrase}`));
}

function hasAny(text: string, phrases: readonly string[]): boolean {
  const said = ` ${plainWords(text).join(' ')} `;
  return phrases.some((phrase) => said.includes(` ${phrase} `));
}

/** How many of the words the longest phrase covers that they begin with. */
function longestAtStart(said: readonly string[], phrases: readonly string[]): number {
  const text = `${said.join(' ')} `;
  const lengths = phrases
    .filter((phrase) => text.startsWith(`${phrase} `))
    .map((phrase) => phrase.split(' ').length);
  return Math.max(0, ...lengths);
}

/** Lower case, apostrophes and hyphens inside words kept, other marks gone. */
export function plainWords(text: string): string[] {
  const plain = text.toLowerCase().replaceAll('’', "'");
  return plain.match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? [];
}
