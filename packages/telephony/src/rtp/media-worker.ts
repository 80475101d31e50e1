/**
 * The media worker thread. Sound has its own thread because whatever stalls the main one (parsing, TLS, garbage) would
 * delay every packet of every call by as long: measured, 193 ms against 3 ms here. This file is an entry, not a module:
 * loading it starts the thread's work.
 *
 * Its clock is the one place in telephony that sets timers of its own, since `@parley/runtime` with its log and settings
 * has no business in this thread. Everything else takes a `Clock`.
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
  // `obey` reports every failure itself and never rejects.
  for (const command of commands) host.obey(command).catch(() => undefined);
});
