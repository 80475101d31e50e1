import { describe, expect, it } from 'vitest';
import { ManualClock, pause } from './clock.ts';

describe('ManualClock', () => {
  it('runs due timers in order, each at its own instant', () => {
    const clock = new ManualClock(1_000);
    const seen: [string, number][] = [];
    clock.after(30, () => seen.push(['late', clock.now()]));
    clock.after(10, () => {
      seen.push(['early', clock.now()]);
      clock.after(5, () => seen.push(['nested', clock.now()]));
    });
    clock.advance(40);
    expect(seen).toEqual([
      ['early', 1_010],
      ['nested', 1_015],
      ['late', 1_030],
    ]);
    expect(clock.now()).toBe(1_040);
    expect(clock.monotonic()).toBe(40);
  });

  it('does not run a cancelled timer', () => {
    const clock = new ManualClock();
    let isCalled = false;
    const timer = clock.after(10, () => (isCalled = true));
    timer.cancel();
    timer.cancel();
    clock.advance(20);
    expect(isCalled).toBe(false);
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('pause', () => {
  it('ends after its time and leaves no timer', async () => {
    const clock = new ManualClock();
    const done = pause(clock, 100);
    clock.advance(100);
    await done;
    expect(clock.pendingTimers()).toBe(0);
  });

  it('ends at once when its signal is aborted', async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const done = pause(clock, 100, abort.signal);
    abort.abort();
    await done;
    expect(clock.pendingTimers()).toBe(0);
  });
});
