/**
 * Whether a caller asks not to be called again. Only whole phrases count, so that a sentence which merely mentions calls
 * does not end the conversation; what remains unclear is left to the model.
 */
import { plainWords } from './plain-words.rules.ts';
import { optOutPhrases, type OptOutPhrases } from './opt-out-phrases.rules.ts';

/** How many words before a phrase may reverse it. */
const NEGATION_WORDS = 4;
const CLAUSE_END = /[.!?;:,…。！？]/u;

/**
 * English phrases count in every language.
 *
 * @param language - BCP 47 or a two-letter code
 */
export function isOptOut(text: string, language: string): boolean {
  const lists = [optOutPhrases(language), optOutPhrases('en')];
  const clauses = text.split(CLAUSE_END).map(plainWords);
  return clauses.some((clause) => lists.some((phrases) => isRequest(clause, phrases)));
}

function isRequest(clause: readonly string[], phrases: OptOutPhrases): boolean {
  return clause.some((_, at) => {
    if (isReversed(clause.slice(0, at), phrases)) return false;
    const rest = clause.slice(at);
    return (
      phrases.anywhere.some((phrase) => startsWith(rest, phrase)) ||
      phrases.atEnd.some(
        (phrase) => startsWith(rest, phrase) && isTail(afterPhrase(rest, phrase), phrases.tails),
      )
    );
  });
}

/** "I did not say stop calling me" is no request; "why don't you stop calling me" is one. */
function isReversed(before: readonly string[], { negations }: OptOutPhrases): boolean {
  const near = before.slice(-NEGATION_WORDS);
  return near.some(
    (word, at) => negations.includes(word) && !(word.endsWith("n't") && near[at + 1] === 'you'),
  );
}

/** Whether the words consist of such phrases only; true for none. */
function isTail(said: readonly string[], tails: readonly string[]): boolean {
  if (said.length === 0) return true;
  return tails.some((tail) => startsWith(said, tail) && isTail(afterPhrase(said, tail), tails));
}

function startsWith(said: readonly string[], phrase: string): boolean {
  return `${said.join(' ')} `.startsWith(`${phrase} `);
}

function afterPhrase(said: readonly string[], phrase: string): string[] {
  return said.slice(phrase.split(' ').length);
}
