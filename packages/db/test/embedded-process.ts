/**
 * A process for tests that starts an embedded Postgres on the folder of its first argument, prints what it got as one
 * line of JSON, and waits to be killed.
 */
import { silentLog } from '@parley/runtime';
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';

const dataDir = process.argv[2] ?? '';
const { url, pid, isNew } = await startEmbeddedPostgres({ dataDir, fsync: false, log: silentLog });
process.stdout.write(`${JSON.stringify({ url, pid, isNew })}\n`);
