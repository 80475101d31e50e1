/** A process for tests whose stop never ends, as one that waits for a call. It prints `started` and `draining`. */
import { createLog, runProcess } from '../src/index.ts';

await runProcess(async () => ({
  service: {
    async start() {
      process.stdout.write('started\n');
      setInterval(() => {}, 1_000);
    },
    stop() {
      process.stdout.write('draining\n');
      return new Promise(() => undefined);
    },
  },
  log: createLog({ name: 'test', level: 'silent' }),
}));
