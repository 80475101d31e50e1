import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimerQueue } from './timer-queue.ts';

function runDue(queue: TimerQueue, nowMs: number): void {
  for (let run = queue.takeDue(nowMs); run; run = queue.takeDue(nowMs)) run();
}

describe('a timer queue', () => {
  it('runs due timers in the order of their times, and of their creation when times are equal', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), (times) => {
        const queue = new TimerQueue();
        const ran: [number, number][] = [];
        times.forEach((atMs, index) => queue.set(atMs, () => ran.push([atMs, index])));
        runDue(queue, 10);
        const due = times
          .map((atMs, index) => [atMs, index] as [number, number])
          .filter(([atMs]) => atMs <= 10);
        expect(ran).toEqual(due.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
        expect(queue.size).toBe(times.length - due.length);
        expect(queue.nextAtMs()).toBe(
          queue.size === 0 ? null : Math.min(...times.filter((atMs) => atMs > 10)),
        );
      }),
    );
  });

  it('ignores a second cancel', () => {
    const queue = new TimerQueue();
    const alarm = queue.set(5, () => {
      throw new Error('cancelled alarms must not run');
    });
    queue.set(6, () => {});
    alarm.cancel();
    alarm.cancel();
    expect(queue.size).toBe(1);
    expect(queue.nextAtMs()).toBe(6);
    runDue(queue, 10);
    alarm.cancel();
    expect(queue.size).toBe(0);
  });

  it('accepts new timers while it runs due ones', () => {
    const queue = new TimerQueue();
    const ran: string[] = [];
    queue.set(1, () => {
      ran.push('first');
      queue.set(1, () => ran.push('set by the first'));
    });
    runDue(queue, 1);
    expect(ran).toEqual(['first', 'set by the first']);
  });
});
