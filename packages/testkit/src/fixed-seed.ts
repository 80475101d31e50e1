/**
 * Generated tests draw the same cases in every run. `PARLEY_SEED` draws others: `npm run test:random`. What such a run
 * finds becomes a test of its own.
 */
import { configureGlobal } from 'fast-check';

const seed = Number(process.env['PARLEY_SEED'] ?? 20_260_105);
configureGlobal({ seed });
