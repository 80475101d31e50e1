/**
 * Whether a text contains one of the expected phrases. Case, punctuation and polite words do not matter; a number counts only
 * on its own, so that "one moment" is not the choice "one".
 */
import type { Answer } from './script.ts';

const NUMBER_WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
/** Words around an answer that do not change it. */
const POLITE = new Set(['please', 'um', 'uh', 'well', 'the', 'number', 'at']);

/** The words in lower case, without punctuation; digits up to twelve as words. */
export function wordsOf(text: string): string[] {
  const words = text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}']+/gu);
  return (words ?? []).map((word) => (/^\d{1,2}$/.test(word) ? (NUMBER_WORDS[Number(word)] ?? word) : word));
}

/** The answer that was given, and the phrase that matched; null if none did. */
export function findAnswer(
  text: string,
  answers: readonly Answer[],
): { answer: Answer; said: string } | null {
  const heard = wordsOf(text);
  let best: { answer: Answer; said: string; length: number } | null = null;
  for (const answer of answers) {
    for (const phrase of answer.phrases) {
      const words = wordsOf(phrase);
      if (words.length > (best?.length ?? 0) && isSaid(words, heard))
        best = { answer, said: phrase, length: words.length };
    }
  }
  if (best) return best;
  const open = heard.length > 0 ? answers.find(({ takesAnything }) => takesAnything) : undefined;
  return open ? { answer: open, said: text.trim() } : null;
}

function isSaid(phrase: readonly string[], heard: readonly string[]): boolean {
  const [only, second] = phrase;
  if (only !== undefined && second === undefined && NUMBER_WORDS.includes(only)) {
    const rest = heard.filter((word) => !POLITE.has(word));
    return rest.length === 1 && rest[0] === only;
  }
  return heard.some((_word, at) => phrase.every((word, offset) => heard[at + offset] === word));
}
