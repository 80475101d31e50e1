/** Bare graphile-worker with its own defaults and a job that does nothing, for `bench:campaign`. */
import { run } from 'graphile-worker';

const runner = await run({
  connectionString: process.env['DATABASE_URL'] ?? '',
  concurrency: Number(process.env['CONCURRENCY']),
  taskList: { remove_recording: async () => {} },
  pollInterval: 1_000,
  noHandleSignals: true,
});
for (const end of ['SIGTERM', 'disconnect']) process.on(end, () => void runner.stop());
