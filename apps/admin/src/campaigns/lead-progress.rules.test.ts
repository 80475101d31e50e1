import { expect, it } from 'vitest';
import { leadProgress } from './lead-progress.rules.ts';

it.each([
  ['nothing to do', { leads: 0, completed: 0, reached_max_retries: 0 }, { done: 0, percent: 0 }],
  ['nothing done', { leads: 3, completed: 0, reached_max_retries: 0 }, { done: 0, percent: 0 }],
  ['reached and not reached', { leads: 4, completed: 1, reached_max_retries: 2 }, { done: 3, percent: 75 }],
  ['one of many left', { leads: 1000, completed: 999, reached_max_retries: 0 }, { done: 999, percent: 99 }],
  ['all', { leads: 3, completed: 2, reached_max_retries: 1 }, { done: 3, percent: 100 }],
])('%s', (_name, counts, expected) => {
  expect(leadProgress(counts)).toEqual(expected);
});
