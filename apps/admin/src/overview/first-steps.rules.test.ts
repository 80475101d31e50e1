import { expect, it } from 'vitest';
import { firstStepsOf } from './first-steps.rules.ts';

const demos = [
  { id: 2, name: 'Demo: answers calls' },
  { id: 1, name: 'Demo: calls out' },
];
const testPhones = { is_test: true };
const stepsOf = (changes: Partial<Parameters<typeof firstStepsOf>[0]> = {}) => {
  const { done, talkTo } = firstStepsOf({ talks: 0, assistants: demos, trunks: [testPhones], ...changes });
  return { done: [...done], talkTo };
};

it('a fresh installation has nothing done, and talks to the first demo assistant', () => {
  expect(stepsOf()).toEqual({ done: [], talkTo: 1 });
});

it('each step is done by what the user has, in any order', () => {
  expect(stepsOf({ talks: 1 }).done).toEqual(['talk']);
  expect(stepsOf({ assistants: [{ id: 3, name: 'Mine' }, ...demos] })).toEqual({
    done: ['create'],
    talkTo: 1,
  });
  expect(stepsOf({ trunks: [testPhones, { is_test: false }] }).done).toEqual(['connect']);
});

it('a member without demo assistants creates one before talking to it', () => {
  expect(stepsOf({ assistants: [] })).toEqual({ done: [], talkTo: null });
  expect(stepsOf({ assistants: [{ id: 8, name: 'Mine' }] })).toEqual({ done: ['create'], talkTo: 8 });
});
