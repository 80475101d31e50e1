import { ManualClock, silentLog } from '@parley/runtime';
import { describe, expect, it } from 'vitest';
import { CallReporter } from './call-reporter.ts';

class Refused extends Error {}

function setup(): { clock: ManualClock; reporter: CallReporter; stored: string[] } {
  const clock = new ManualClock();
  const reporter = new CallReporter({ clock, log: silentLog, isFinal: (error) => error instanceof Refused });
  return { clock, reporter, stored: [] };
}

describe('the reporter of a call', () => {
  it('repeats a fact until it is stored and keeps the order', async () => {
    const { clock, reporter, stored } = setup();
    let tries = 0;
    reporter.report('answered', async () => {
      tries += 1;
      if (tries < 4) throw new Error('the database is away');
      stored.push('answered');
    });
    reporter.report('ended', async () => void stored.push('ended'));
    await clock.advanceAsync(5_000, 250);
    await reporter.settled();
    expect(tries).toBe(4);
    expect(stored).toEqual(['answered', 'ended']);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('gives up what was refused and goes on', async () => {
    const { reporter, stored } = setup();
    let tries = 0;
    reporter.report('answered', async () => {
      tries += 1;
      throw new Refused();
    });
    reporter.report('ended', async () => void stored.push('ended'));
    await reporter.settled();
    expect(tries).toBe(1);
    expect(stored).toEqual(['ended']);
  });
});
