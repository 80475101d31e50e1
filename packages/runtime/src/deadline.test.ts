import { describe, expect, it } from 'vitest';
import { ManualClock } from './clock.ts';
import { DeadlineError, withDeadline } from './deadline.ts';

describe('a deadline', () => {
  it('returns the result of work that finishes before the limit and leaves no timer', async () => {
    const clock = new ManualClock();
    await expect(withDeadline(clock, 100, Promise.resolve('result'))).resolves.toBe('result');
    expect(clock.pendingTimers()).toBe(0);
  });

  it('passes on the failure of the work', async () => {
    const failure = new Error('failed on purpose');
    await expect(withDeadline(new ManualClock(), 100, Promise.reject(failure))).rejects.toBe(failure);
  });

  it('ends the wait at the limit; a later failure of the work is ignored', async () => {
    const clock = new ManualClock();
    const work = Promise.withResolvers<void>();
    const result = withDeadline(clock, 100, work.promise);
    const outcome = expect(result).rejects.toBeInstanceOf(DeadlineError);
    clock.advance(99);
    expect(clock.pendingTimers()).toBe(1);
    clock.advance(1);
    await outcome;
    work.reject(new Error('too late'));
  });
});
