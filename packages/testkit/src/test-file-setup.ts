/**
 * Runs before each test file. Generated tests draw the same cases in every run; `PARLEY_SEED` draws others (`npm run
 * test:random`), and failures of such a run become separate tests.
 */
import { configureGlobal } from 'fast-check';
import { restartCounters } from './count-per-file.ts';

const seed = Number(process.env['PARLEY_SEED'] ?? 20_260_105);
configureGlobal({ seed });
restartCounters();
