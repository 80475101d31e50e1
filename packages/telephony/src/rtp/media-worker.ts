/**
 * The media worker thread. Media has a separate thread, because every stall of the main thread (parsing, TLS, garbage
 * collection) would delay all packets of all calls: 193 ms were measured there, 3 ms here. This file is an entry point:
 * loading it starts the worker.
 */
import { randomBytes } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { mediaClock } from './media-clock.ts';
import { MediaHost } from './media-host.ts';
import type { MediaCommand } from './media-messages.ts';

const host = new MediaHost({
  clock: mediaClock,
  random: () => randomBytes(4).readUInt32BE(),
  post: (report, transfer) => parentPort?.postMessage(report, transfer),
});

parentPort?.on('message', (commands: MediaCommand[]) => {
  // `execute` reports every failure itself and never rejects.
  for (const command of commands) host.execute(command).catch(() => undefined);
});
