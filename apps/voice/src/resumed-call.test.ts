/** What a process makes of a call that another one has stored. */
import { expect, test } from 'vitest';
import { resumedConversation, type ResumedCallState } from './resumed-call.ts';

test('the conversation goes on at the time since the answer, with the variables that were stored', () => {
  const state = {
    conversation: { speakerId: 7 },
    progress: { variables: { name: 'Ann' } },
    answeredAtMs: 1_000_000,
    interruptedAtMs: 1_003_000,
  } as unknown as ResumedCallState;
  expect(resumedConversation(state, 1_004_500)).toEqual({
    speakerId: 7,
    variables: { name: 'Ann' },
    atMs: 4_500,
  });
});
