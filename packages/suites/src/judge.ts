/** The judge of this thread. Each expression has a time limit, and the program waits for it. */
import { failuresOf } from './check-conversation.ts';
import { isFound } from './phrase.ts';
import type { Judge } from './suite-context.ts';

/** For a program that does nothing else, and for a thread of its own. */
export const localJudge: Judge = {
  async failuresOf(expected, conversation) {
    return failuresOf(expected, conversation);
  },
  async firstFound(phrases, text) {
    return phrases.findIndex((phrase) => isFound(phrase, [text]));
  },
};

export { SuiteError } from './suite-error.ts';
