import { expect, it } from 'vitest';
import { createTimeWriter } from './log-time.ts';

it('writes the same as toISOString, also across seconds and years', () => {
  let nowMs = Date.UTC(2026, 11, 31, 23, 59, 58, 7);
  const write = createTimeWriter({ now: () => nowMs });
  for (const stepMs of [0, 0, 35, 900, 58, 1000, 0, 999, -5000]) {
    nowMs += stepMs;
    expect(write()).toBe(`,"time":"${new Date(nowMs).toISOString()}"`);
  }
});
