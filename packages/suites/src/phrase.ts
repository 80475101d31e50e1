/**
 * Phrases that are looked for in what was said: plain text, or a regular expression between slashes. Regular expressions run
 * with a time limit, because some need exponential time.
 */
import { createContext, Script } from 'node:vm';
import { SuiteError } from './suite-error.ts';
import { texts } from './suite-texts.ts';

/** A phrase of a suite. */
export interface Phrase {
  /** As it is written in the file. */
  source: string;
  /** Null for plain text. */
  expression: RegExp | null;
}

/** For one expression and all texts with which it is compared at once, milliseconds. */
const TIME_LIMIT_MS = 250;
const DELIMITED = /^\/(.+)\/([imsu]*)$/su;

/** @throws SyntaxError for an invalid regular expression */
export function toPhrase(source: string): Phrase {
  const [, body, flags = ''] = DELIMITED.exec(source) ?? [];
  return { source, expression: body === undefined ? null : new RegExp(body, flags) };
}

/**
 * Whether a phrase is in at least one of the texts. Plain text counts wherever it occurs, whatever its case and spaces.
 *
 * @throws SuiteError when the expression needs too long
 */
export function isFound({ source, expression }: Phrase, said: readonly string[]): boolean {
  if (expression !== null) return matches(expression, said);
  const wanted = plain(source);
  return said.some((text) => plain(text).includes(wanted));
}

function plain(text: string): string {
  return text.replaceAll('’', "'").replaceAll(/\s+/gu, ' ').trim().toLowerCase();
}

const script = new Script('said.some((text) => expression.test(text))');
/** One for all: creating a context takes milliseconds, and a suite may have ten thousand comparisons. */
const compared: { expression: RegExp; said: readonly string[] } = { expression: /^$/, said: [] };
createContext(compared);

function matches({ source, flags }: RegExp, said: readonly string[]): boolean {
  try {
    Object.assign(compared, { expression: new RegExp(source, flags), said });
    return script.runInContext(compared, { timeout: TIME_LIMIT_MS }) === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new SuiteError(texts.run.slowPattern(source), { cause: error });
  }
}
