/**
 * The media worker thread. Media has a separate thread, because every stall of the main thread (parsing, TLS, garbage
 * collection) would delay all packets of all calls: 193 ms were measured there, 3 ms here. This file is an entry point:
 * loading it starts the worker.
 *
 * It defines its own clock, so that `@parley/runtime` with its log and settings need not be loaded in this thread.
 */
import { randomBytes } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { Clock } from '@parley/runtime';
import { MediaHost } from './media-host.ts';
import type { MediaCommand } from './media-messages.ts';

const threadClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};

const host = new MediaHost({
  clock: threadClock,
  random: () => randomBytes(4).readUInt32BE(),
  post: (report, transfer) => parentPort?.postMessage(report, transfer),
});

parentPort?.on('message', (commands: MediaCommand[]) => {
  // `execute` reports every failure itself and never rejects.
  for (const command of commands) host.execute(command).catch(() => undefined);
});
