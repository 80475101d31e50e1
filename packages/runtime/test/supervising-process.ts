/** A process for tests: supervises the script of this folder that its argument names, and prints its process id and output. */
import { join } from 'node:path';
import { SupervisedProcess, systemClock } from '../src/index.ts';

const supervised = new SupervisedProcess(
  {
    name: 'supervised',
    script: join(import.meta.dirname, process.argv[2] ?? ''),
    environment: process.env,
    stopLimitMs: 1_000,
  },
  {
    onLine: (_, line) => process.stdout.write(`${line === 'started' ? supervised.pid : line}\n`),
    onStarted: () => {},
    onEnded: () => {},
    onInvalidSettings: () => {},
  },
  systemClock,
);
supervised.start();
