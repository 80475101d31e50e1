import { expect, it } from 'vitest';
import { admittedCalls } from './admission.rules.ts';

it.each([
  ['an idle process, which may have just started, takes a few calls', 0, 5, 12],
  ['one that keeps up takes as many more', 12, 5, 24],
  ['never more than its capacity', 45, 5, 50],
  ['an overloaded one takes none', 30, 101, 30],
  ['and keeps those that it has', 50, 400, 50],
])('%s', (_what, activeCalls, loopDelayMs, expected) => {
  expect(admittedCalls({ capacity: 50, activeCalls, loopDelayMs })).toBe(expected);
});

it('a small capacity is admitted at once', () => {
  expect(admittedCalls({ capacity: 5, activeCalls: 0, loopDelayMs: 0 })).toBe(5);
});
