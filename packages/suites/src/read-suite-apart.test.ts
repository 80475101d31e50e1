import { ManualClock } from '@parley/runtime';
import { expect, test } from 'vitest';
import { readSuiteApart } from './read-suite-apart.ts';

/** Reading it takes minutes. */
const SLOW = '&a '.repeat(300_000);

test('a long suite is read in a process of its own, with its expressions', async () => {
  const script = 'Hello. '.repeat(500);
  const callers = [{ name: 'asks', script: [script, script], expect: { said: ['/nine/i'] } }];
  const read = await readSuiteApart(new ManualClock(), 1, JSON.stringify({ assistant: 1, callers }));
  expect(read).toMatchObject({
    suite: { callers: [{ name: 'asks', expect: { said: [{ source: '/nine/i', expression: /nine/i }] } }] },
  });
});

test('a text that takes too long is refused, and a process reads three at a time, two of one user', async () => {
  const clock = new ManualClock();
  const own = [readSuiteApart(clock, 1, SLOW), readSuiteApart(clock, 1, SLOW)];
  expect(await readSuiteApart(clock, 1, SLOW)).toBeNull();
  const slow = [...own, readSuiteApart(clock, 2, SLOW)];
  expect(await readSuiteApart(clock, 3, SLOW)).toBeNull();
  expect(await readSuiteApart(clock, 3, 'a: 1')).toMatchObject({ faults: expect.any(Array) });
  clock.advance(100_000);
  const refused = { faults: ['the file: It takes too long to be read.'] };
  expect(await Promise.all(slow)).toEqual([refused, refused, refused]);
});
