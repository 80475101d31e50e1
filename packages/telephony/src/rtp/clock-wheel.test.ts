import { describe, expect, test } from 'vitest';
import { ManualClock, type Clock } from '@parley/runtime';
import { ClockWheel } from './clock-wheel.ts';

function setup(clock: ManualClock = new ManualClock(), wheelClock: Clock = clock) {
  let wakeUps = 0;
  const wheel = new ClockWheel(wheelClock, () => wakeUps++);
  const join = () => {
    const at: number[] = [];
    const lateness: number[] = [];
    const leave = wheel.join((late) => {
      at.push(clock.monotonic() - late);
      lateness.push(late);
    });
    return { at, lateness, leave };
  };
  return { clock, join, wakeUpCount: () => wakeUps };
}

describe('clock wheel', () => {
  test('a member is called every 20 ms', () => {
    const { clock, join } = setup();
    const member = join();
    clock.advance(1000);
    expect(member.at).toHaveLength(50);
    expect(new Set(member.at.slice(1).map((at, i) => at - (member.at[i] ?? 0)))).toEqual(new Set([20]));
  });

  test('forty members are spread two by two over the twenty slots', () => {
    const { clock, join, wakeUpCount } = setup();
    const members = Array.from({ length: 40 }, join);
    clock.advance(20);
    const instants = members.map((member) => member.at[0]);
    expect(new Set(instants).size).toBe(20);
    expect(wakeUpCount()).toBe(20);
  });

  test('after a stall every missed call is made up, in order and at its own instant of the schedule', () => {
    const clock = new ManualClock();
    // A clock whose timers fire when the thread gets to it: all time passes at once.
    let stalledMs = 0;
    const stallable: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic() + stalledMs,
      after: (delayMs, callback) => clock.after(delayMs, callback),
    };
    const wheel = new ClockWheel(stallable, () => undefined);
    const lateness: number[] = [];
    wheel.join((late) => lateness.push(late));
    clock.advance(20);
    stalledMs = 200;
    clock.advance(20);
    expect(lateness.slice(1, 12)).toEqual([200, 180, 160, 140, 120, 100, 80, 60, 40, 20, 0]);
    clock.advance(100);
    expect(lateness.slice(12)).toEqual([0, 0, 0, 0, 0]);
  });

  test('timers that fire half a millisecond off do not add up', () => {
    const clock = new ManualClock();
    const imprecise: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic() + 0.4,
      after: (delayMs, callback) => clock.after(delayMs + 0.5, callback),
    };
    const { join } = setup(clock, imprecise);
    const member = join();
    clock.advance(10_000);
    expect(member.lateness.length).toBeGreaterThanOrEqual(499);
    expect(Math.max(...member.lateness)).toBeLessThan(2);
  });

  test('who leaves is not called any more, and an empty wheel has no timer', () => {
    const { clock, join } = setup();
    const first = join();
    const second = join();
    clock.advance(40);
    first.leave();
    clock.advance(40);
    expect(first.at).toHaveLength(2);
    expect(second.at).toHaveLength(4);
    second.leave();
    expect(clock.pendingTimers()).toBe(0);
  });

  test('a wheel that was empty for an hour does not make that hour up', () => {
    const { clock, join } = setup();
    join().leave();
    clock.advance(3_600_000);
    const member = join();
    clock.advance(20);
    expect(member.at).toHaveLength(1);
  });

  test('a member may leave, and another may join, from within a call', () => {
    const clock = new ManualClock();
    const wheel = new ClockWheel(clock, () => undefined);
    let calls = 0;
    const leave = wheel.join(() => {
      leave();
      wheel.join(() => calls++);
    });
    clock.advance(100);
    expect(calls).toBeGreaterThanOrEqual(4);
  });
});
