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

/** For one text and one expression, milliseconds. */
const TIME_LIMIT_MS = 250;
const DELIMITED = /^\/(.+)\/([imsu]*)$/su;

/** @throws SyntaxError for an invalid regular expression */
export function toPhrase(source: string): Phrase {
  const [, body, flags = ''] = DELIMITED.exec(source) ?? [];
  return { source, expression: body === undefined ? null : new RegExp(body, flags) };
}

/**
 * Plain text counts wherever it occurs, whatever its case and spaces.
 *
 * @throws SuiteError when the expression needs too long
 */
export function isFound({ source, expression }: Phrase, text: string): boolean {
  return expression === null ? plain(text).includes(plain(source)) : matches(expression, text);
}

function plain(text: string): string {
  return text.replaceAll('’', "'").replaceAll(/\s+/gu, ' ').trim().toLowerCase();
}

const script = new Script('expression.test(text)');

function matches({ source, flags }: RegExp, text: string): boolean {
  try {
    const context = createContext({ expression: new RegExp(source, flags), text });
    return script.runInContext(context, { timeout: TIME_LIMIT_MS }) === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new SuiteError(texts.run.slowPattern(source), { cause: error });
  }
}
