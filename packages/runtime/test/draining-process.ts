/**
 * A process for tests whose stop waits for a second signal, as one that waits for a call. It prints `started`, `draining` and
 * `hurried`.
 */
import { createLog, runProcess } from '../src/index.ts';

const hurried = Promise.withResolvers<void>();

await runProcess(async () => ({
  service: {
    async start() {
      process.stdout.write('started\n');
      setInterval(() => {}, 1_000);
    },
    stop() {
      process.stdout.write('draining\n');
      return hurried.promise;
    },
    hurry() {
      process.stdout.write('hurried\n');
      hurried.resolve();
    },
  },
  log: createLog({ name: 'test', level: 'silent' }),
}));
