import { captureLog } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { BackgroundWork } from './background-work.ts';

function setup() {
  const { log, lines } = captureLog();
  return { background: new BackgroundWork(log), lines };
}

const failure = new Error('failed on purpose');

describe('background work', () => {
  it('begins before start returns', () => {
    const { background } = setup();
    let hasBegun = false;
    background.start('begin', () => (hasBegun = true));
    expect(hasBegun).toBe(true);
  });

  it.each([
    ['rejects', async () => Promise.reject(failure)],
    [
      'throws',
      () => {
        throw failure;
      },
    ],
  ])('logs its name and the error when it %s, then calls onFailure', async (_how, run) => {
    const { background, lines } = setup();
    const failures: unknown[] = [];
    background.start('fail', run, (error) => failures.push(error, lines.length));
    await background.settled();
    expect(lines).toMatchObject([
      { level: 'error', msg: 'Background work failed', work: 'fail', err: { message: failure.message } },
    ]);
    expect(failures).toEqual([failure, 1]);
  });

  it('does not call onFailure after success', async () => {
    const { background, lines } = setup();
    background.start(
      'succeed',
      async () => 'result',
      () => expect.unreachable(),
    );
    await background.settled();
    expect(lines).toEqual([]);
  });

  it('logs a reaction that fails and carries on', async () => {
    const { background, lines } = setup();
    background.start(
      'fail',
      async () => Promise.reject(failure),
      async () => Promise.reject(new Error('the reaction')),
    );
    await background.settled();
    expect(lines.map(({ err }) => err)).toMatchObject([
      { message: failure.message },
      { message: 'the reaction' },
    ]);
  });

  it('settles after the last work, including work started while waiting', async () => {
    const { background } = setup();
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const finished: string[] = [];
    background.start('first', async () => {
      await first.promise;
      background.start('second', async () => {
        await second.promise;
        finished.push('second');
      });
      finished.push('first');
    });
    const settled = background.settled().then(() => finished.push('settled'));
    first.resolve();
    second.resolve();
    await settled;
    expect(finished).toEqual(['first', 'second', 'settled']);
  });

  it('settles at once when nothing runs', async () => {
    const { background } = setup();
    await expect(background.settled()).resolves.toBeUndefined();
  });
});
