/** A process for tests that supervises one other (test/restless-process.ts), prints its process id, and waits to be killed. */
import { join } from 'node:path';
import { SupervisedProcess, systemClock } from '../src/index.ts';

const supervised = new SupervisedProcess(
  {
    name: 'restless',
    script: join(import.meta.dirname, 'restless-process.ts'),
    environment: { ...process.env, BEHAVIOUR: 'stay' },
    stopLimitMs: 1_000,
  },
  {
    onLine: (_, line) => {
      if (line === 'started') process.stdout.write(`${supervised.pid}\n`);
    },
    onStarted: () => {},
    onEnded: () => {},
    onHopeless: () => {},
  },
  systemClock,
);
supervised.start();
