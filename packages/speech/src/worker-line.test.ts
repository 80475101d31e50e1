import { ManualClock } from '@parley/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { WorkerLine } from './worker-line.ts';

/** A thread that answers with its own number. */
const THREAD = `import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', () => parentPort.postMessage(threadId));`;
const IDLE_LIMIT_MS = 1000;

function setup(idleLimitMs?: number) {
  const clock = new ManualClock();
  const line = new WorkerLine<string, number>({
    file: new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`),
    clock,
    limitMs: 60_000,
    ...(idleLimitMs === undefined ? {} : { idleLimitMs }),
  });
  onTestFinished(() => line.stop());
  return { clock, ask: () => line.ask('who?') };
}

it('keeps its thread while it is asked, lets it go when nobody asks, and starts another one', async () => {
  const { clock, ask } = setup(IDLE_LIMIT_MS);
  const first = await ask();
  for (let n = 0; n < 3; n++) {
    clock.advance(IDLE_LIMIT_MS - 1);
    expect(await ask()).toBe(first);
  }
  clock.advance(IDLE_LIMIT_MS);
  expect(await ask()).not.toBe(first);
});

it('keeps its thread for ever where no limit is set', async () => {
  const { clock, ask } = setup();
  const first = await ask();
  clock.advance(3_600_000);
  expect(await ask()).toBe(first);
  expect(clock.pendingTimers()).toBe(0);
});
