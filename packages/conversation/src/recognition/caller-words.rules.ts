/**
 * What the caller's words mean for turn-taking: stop, continue, unfinished, question. Decided by short word lists and not by
 * a model, so that the answer is immediate and always the same.
 */
import { lacksPart, type Asked } from './asked.rules.ts';
import { dictationWords } from './dictation-words.rules.ts';
import { dictationAtEnd, isSpelling } from './dictation.rules.ts';
import { plainWords } from './plain-words.rules.ts';
import { wordLists } from './word-lists.rules.ts';

/** The caller's mood, which selects a filler. The values are the keys of `filler_config`. */
export type Mood = 'neutral' | 'negative' | 'positive' | 'question';

/**
 * How a text ends: `finished` like a sentence, `unfinished` must continue, `dictated` within a number, a spelling or an e-mail
 * address, `awaited` within something that the assistant has asked for and that is dictated, `digits` may continue, otherwise
 * `open`.
 */
export type Ending = 'finished' | 'unfinished' | 'dictated' | 'awaited' | 'digits' | 'open';

const DIGITS_AT_END = /\d[\s.-]*$/u;
const SENTENCE_END = /[.!?。！？]["'”’»)]*$/u;

/** Whether the caller asks the assistant to be quiet. */
export function isStop(text: string, language: string): boolean {
  return startsWithAny(text, wordLists(language).stops);
}

/** Whether the text consists only of backchannels such as "mm-hm" and "yes, right". False for an empty text. */
export function isBackchannel(text: string, language: string): boolean {
  return consistsOf(text, wordLists(language).backchannels);
}

/** Whether the text consists only of backchannels and thanks: "okay, thank you". False for an empty text. */
export function isAcknowledgement(text: string, language: string): boolean {
  const { backchannels, thanks } = wordLists(language);
  return consistsOf(text, [...backchannels, ...thanks]);
}

/** Whether the text only takes leave of the assistant: "okay, thank you, bye". False for an empty text. */
export function isFarewell(text: string, language: string): boolean {
  const { backchannels, thanks, farewells } = wordLists(language);
  return consistsOf(text, [...backchannels, ...thanks, ...farewells]);
}

/** Whether the text only asks whether the assistant is there: "Hello? Can you hear me?" False for an empty text. */
export function isPresenceCheck(text: string, language: string): boolean {
  return consistsOf(text, wordLists(language).presenceChecks);
}

/** Whether the text only asks the assistant to say it again: "Sorry?", "What?" False for an empty text. */
export function asksToRepeat(text: string, language: string): boolean {
  return consistsOf(text, wordLists(language).repeats);
}

/** Whether the caller asks the assistant to wait: "Hold on, I will get my diary." */
export function asksToWait(text: string, language: string): boolean {
  return hasAny(text, wordLists(language).waits);
}

function consistsOf(text: string, phrases: readonly string[]): boolean {
  let rest = plainWords(text);
  if (rest.length === 0) return false;
  while (rest.length > 0) {
    const length = longestAtStart(rest, phrases);
    if (length === 0) return false;
    rest = rest.slice(length);
  }
  return true;
}

/**
 * How the text ends.
 *
 * @param asked - what the assistant has asked for before it
 */
export function endingOf(text: string, language: string, asked: Asked | null = null): Ending {
  const ending = endingAlone(text, language);
  if (asked === null || text.trim() === '' || !isAnswer(text, language)) return ending;
  const isDictated = ending === 'dictated';
  const words = dictationWords(language);
  return lacksPart(text, asked, { words, language, isDictated }) ? 'awaited' : ending;
}

/** Questions, agreement, refusal and what bridges a wait are no dictation. */
function isAnswer(text: string, language: string): boolean {
  return (
    moodOf(text, language) === 'neutral' && !isBackchannel(text, language) && !asksToWait(text, language)
  );
}

function endingAlone(text: string, language: string): Ending {
  const trimmed = text.trim();
  if (trimmed.endsWith('?') && !isMisheardSpelling(trimmed, language)) return 'finished';
  const dictated = dictationAtEnd(trimmed, dictationWords(language));
  if (dictated !== null) return dictated; // "a", "y" and "o" are letters, too
  if (endsWithAny(trimmed, wordLists(language).unfinished)) return 'unfinished';
  if (DIGITS_AT_END.test(trimmed.replace(SENTENCE_END, ''))) return 'digits';
  return SENTENCE_END.test(trimmed) ? 'finished' : 'open';
}

/** Recognisers also write letters as questions ("G, D, P" as "Should it be?"). */
function isMisheardSpelling(text: string, language: string): boolean {
  const { spellingCues } = dictationWords(language);
  return isSpelling(text, spellingCues) && !startsWithAny(text, wordLists(language).questions);
}

/** The caller's mood, judged by the words. */
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

/** The number of words in the longest of the phrases with which the text begins. */
function longestAtStart(said: readonly string[], phrases: readonly string[]): number {
  const text = `${said.join(' ')} `;
  const lengths = phrases
    .filter((phrase) => text.startsWith(`${phrase} `))
    .map((phrase) => phrase.split(' ').length);
  return Math.max(0, ...lengths);
}
