/**
 * `npm test`: vitest over the whole tree, the whole house included. Arguments go to vitest, so that
 * `npm test -- packages/sip` runs one room.
 */
import { spawnSync } from 'node:child_process';

const run = spawnSync('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = run.status ?? 1;
