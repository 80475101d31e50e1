import { DomainError } from '@parley/core';
import { ManualClock, silentLog } from '@parley/runtime';
import { describe, expect, it } from 'vitest';
import { CallReporter } from './call-reporter.ts';

function setup() {
  const clock = new ManualClock();
  const stored: string[] = [];
  const refused: unknown[] = [];
  const reporter = new CallReporter({
    clock,
    log: silentLog,
    onRefused: (error) => {
      refused.push(error);
    },
  });
  const store = (name: string) => async () => {
    stored.push(name);
  };
  return { clock, reporter, stored, refused, store };
}

/** An error of Postgres. */
function sqlError(code: string): Error {
  return Object.assign(new Error('refused on purpose'), { code });
}

describe('the reporter of a call', () => {
  it.each([
    ['the connection breaks', new Error('Connection terminated unexpectedly')],
    ['Postgres shuts down', sqlError('57P01')],
    ['the disk is full', sqlError('53100')],
    ['a deadlock is detected', sqlError('40P01')],
    ['core is unavailable', new DomainError('unavailable', 'Try again later.')],
  ])('retries when %s until the fact is stored, and keeps the order', async (_what, error) => {
    const { clock, reporter, stored, refused, store } = setup();
    let tries = 0;
    const unreliable = async (): Promise<void> => {
      tries += 1;
      if (tries < 4) throw error;
      stored.push('answered');
    };
    reporter.report({ name: 'answered', store: unreliable, instead: store('instead') });
    reporter.report({ name: 'ended', store: store('ended') });
    await clock.advanceAsync(5_000, 250);
    await reporter.settled();
    expect(tries).toBe(4);
    expect(stored).toEqual(['answered', 'ended']);
    expect(refused).toEqual([]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it.each([
    ['Postgres refuses a value', sqlError('22P05')],
    ['Postgres refuses a row', sqlError('23514')],
    ['our own code fails', new TypeError('failed on purpose')],
  ])('gives up when %s, and stores a simpler fact instead', async (_what, error) => {
    const { reporter, stored, refused, store } = setup();
    let tries = 0;
    const failing = async (): Promise<void> => {
      tries += 1;
      throw error;
    };
    reporter.report({ name: 'finish', store: failing, instead: store('end alone') });
    reporter.report({ name: 'next', store: store('next') });
    await reporter.settled();
    expect(tries).toBe(1);
    expect(stored).toEqual(['end alone', 'next']);
    expect(refused).toEqual([error]);
  });

  it('stores no simpler fact when core refuses one because the call belongs to another process', async () => {
    const { reporter, stored, refused, store } = setup();
    const fenced = new DomainError('conflict', 'Another process is responsible.');
    reporter.report({
      name: 'answered',
      store: async () => Promise.reject(fenced),
      instead: store('instead'),
    });
    await reporter.settled();
    expect(stored).toEqual([]);
    expect(refused).toEqual([fenced]);
  });
});
