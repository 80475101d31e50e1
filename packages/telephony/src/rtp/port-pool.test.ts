import { describe, expect, test } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { PortPool } from './port-pool.ts';

function setup(first: number, last: number) {
  const clock = new ManualClock();
  const pool = new PortPool({ first, last }, clock);
  const takeAll = (): (number | null)[] => Array.from({ length: 4 }, () => pool.take());
  return { clock, pool, takeAll };
}

describe('port pool', () => {
  test('only even ports whose next port is in the range too are handed out', () => {
    expect(setup(40_001, 40_006).takeAll()).toEqual([40_002, 40_004, null, null]);
    expect(setup(40_000, 40_003).takeAll()).toEqual([40_000, 40_002, null, null]);
  });

  test('a released port is in quarantine for three seconds', () => {
    const { clock, pool, takeAll } = setup(40_000, 40_003);
    takeAll();
    pool.giveBack(40_002);
    clock.advance(2999);
    expect(pool.take()).toBeNull();
    clock.advance(1);
    expect(pool.take()).toBe(40_002);
  });

  test('a port released twice, or never taken, is free only once', () => {
    const { clock, pool } = setup(40_000, 40_001);
    pool.giveBack(40_000);
    expect(pool.take()).toBe(40_000);
    pool.giveBack(40_000);
    pool.giveBack(40_000);
    clock.advance(3000);
    expect([pool.take(), pool.take()]).toEqual([40_000, null]);
  });

  test('ten thousand calls leave as many ports as before', () => {
    const { clock, pool } = setup(40_000, 40_999);
    for (let i = 0; i < 10_000; i++) {
      const port = pool.take();
      expect(port).not.toBeNull();
      clock.advance(10);
      pool.giveBack(port ?? 0);
    }
    expect([pool.takenCount, pool.size]).toEqual([0, 500]);
  });
});
