import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ManualClock } from '@parley/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WorkerConnection, type WorkerConnectionOptions } from './worker-connection.ts';

/**
 * A thread that answers with its own number. Given shared memory, it blocks first, as in a native call, until the first
 * integer is no longer 0; at the second integer it announces that it blocks.
 */
const THREAD = `import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', (gate) => {
    if (gate) {
      Atomics.store(gate, 1, 1);
      Atomics.notify(gate, 1);
      Atomics.wait(gate, 0, 0);
    }
    parentPort.postMessage(threadId);
  });`;
const IDLE_LIMIT_MS = 1000;
const LIMIT_MS = 5000;

function setup(options: Partial<WorkerConnectionOptions> = {}) {
  const clock = new ManualClock();
  const file = new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`);
  const line = new WorkerConnection<Int32Array | null, number>({
    file,
    clock,
    limitMs: LIMIT_MS,
    ...options,
  });
  onTestFinished(() => line.stop());
  return { clock, line, ask: () => line.ask(null) };
}

/** A question on which the thread blocks; resolves once it does. */
async function block(line: WorkerConnection<Int32Array | null, number>) {
  const gate = new Int32Array(new SharedArrayBuffer(8));
  const answer = line.ask(gate).catch((error: unknown) => error);
  await Atomics.waitAsync(gate, 1, 0).value;
  const release = (): void => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  onTestFinished(release);
  return { answer, release };
}

describe('a thread', () => {
  it('stays while it has questions, ends when it is idle, and is started again', async () => {
    const { clock, ask } = setup({ idleLimitMs: IDLE_LIMIT_MS });
    const first = await ask();
    for (let n = 0; n < 3; n++) {
      clock.advance(IDLE_LIMIT_MS - 1);
      expect(await ask()).toBe(first);
    }
    clock.advance(IDLE_LIMIT_MS);
    expect(await ask()).not.toBe(first);
  });

  it('stays for ever without an idle limit', async () => {
    const { clock, ask } = setup();
    const first = await ask();
    clock.advance(3_600_000);
    expect(await ask()).toBe(first);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('that does not answer in time is ended and started again', async () => {
    const { clock, line, ask } = setup();
    const first = await ask();
    const { answer } = await block(line);
    clock.advance(LIMIT_MS);
    expect(await answer).toMatchObject({ kind: 'timed-out' });
    expect(await ask()).not.toBe(first);
  });
});

describe('a thread with native code', () => {
  it('that does not answer in time is not ended: it is used again once it has answered', async () => {
    const { clock, line, ask } = setup({ isNative: true });
    const first = await ask();
    const { answer, release } = await block(line);
    clock.advance(LIMIT_MS);
    expect(await answer).toMatchObject({ kind: 'timed-out' });
    await expect(ask()).rejects.toMatchObject({ kind: 'unavailable' });
    release();
    await expect.poll(ask).toBe(first);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('that never answers is replaced after a minute, and left alone', async () => {
    const { clock, line, ask } = setup({ isNative: true });
    const first = await ask();
    const { answer, release } = await block(line);
    clock.advance(LIMIT_MS);
    await answer;
    clock.advance(60_000);
    const second = await ask();
    expect(second).not.toBe(first);
    release();
    expect(await ask()).toBe(second);
  });

  it('is replaced only so often', async () => {
    const { clock, line, ask } = setup({ isNative: true });
    for (let n = 0; n < 3; n++) {
      const { answer } = await block(line);
      clock.advance(LIMIT_MS);
      await answer;
      clock.advance(60_000);
    }
    await expect(ask()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('may finish its work when the line is stopped', async () => {
    const { line } = setup({ isNative: true });
    const { answer, release } = await block(line);
    let hasStopped = false;
    const stopped = line.stop().then(() => (hasStopped = true));
    expect(await answer).toMatchObject({ kind: 'unavailable' });
    expect(hasStopped).toBe(false);
    release();
    await stopped;
  });

  it('does not abort the process when it is given up in the middle of a native call', async () => {
    const program = fileURLToPath(new URL('../test/programs/late-silero.ts', import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
