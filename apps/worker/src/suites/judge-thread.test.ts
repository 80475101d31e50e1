/** Expressions of suites; `suite-runner.test.ts` has those that need too long. */
import { systemClock } from '@parley/runtime';
import { callersOf, type ReadSuite, readSuiteApart } from '@parley/suites';
import { expect, onTestFinished, test } from 'vitest';
import { createJudgeThread } from './judge-thread.ts';

const TURNS = 45;

function setup() {
  const judge = createJudgeThread(systemClock);
  onTestFinished(() => judge.stop());
  return (userId: number) => judge.of(userId);
}

/** What a suite with this caller expects. */
async function expectationOf(expected: object) {
  const caller = { name: 'Ann', assistant: 1, script: ['Hello.'], expect: expected };
  const read: ReadSuite | null = await readSuiteApart(systemClock, 1, JSON.stringify({ callers: [caller] }));
  if (!read || 'faults' in read) throw new Error(`The suite is not valid: ${JSON.stringify(read)}`);
  return callersOf(read.suite)[0]?.expect ?? {};
}

function conversationOf(text: string) {
  const turns = Array.from({ length: TURNS }, () => [
    { speaker: 'assistant' as const, text },
    { speaker: 'caller' as const, text: 'And on Sundays?' },
  ]).flat();
  const others = { tools: [], latencies: [], firstWords: [], variables: {}, cost: 0, call: null };
  return { ...others, turns, endedBy: 'caller' as const };
}

test(
  'the longest conversation is compared with as many expressions as a suite may have',
  { timeout: 60_000 },
  async () => {
    const judge = setup()(1);
    const phrases = (word: string) =>
      Array.from({ length: 100 }, (_, index) => `/${word} ${index} (am|pm)/i`);
    const expected = await expectationOf({ said: ['/open at (nine|9)/i'], not_said: phrases('closed at') });
    const conversation = conversationOf('We open at nine and close at six.');
    expect(await judge.failuresOf(expected, conversation)).toEqual([]);
    const missing = await expectationOf({ said: phrases('open at') });
    expect(await judge.failuresOf(missing, conversation)).toHaveLength(100);
  },
);

test('slow expressions of one user delay another by one question', async () => {
  const judgeOf = setup();
  const slow = await expectationOf({ said: ['/(a|a)*b/'] });
  const quick = await expectationOf({ said: ['nine'] });
  const answered: string[] = [];
  const ask = async (userId: number, name: string, expected: typeof slow, text: string): Promise<void> => {
    await judgeOf(userId)
      .failuresOf(expected, conversationOf(text))
      .catch(() => undefined);
    answered.push(name);
  };
  const asked = ['first', 'second', 'third'].map((name) => ask(1, name, slow, 'a'.repeat(40)));
  asked.push(ask(2, "another user's", quick, 'At nine.'), ask(1, 'fourth', quick, 'At nine.'));
  await Promise.all(asked);
  expect(answered).toEqual(['first', "another user's", 'second', 'third', 'fourth']);
});
