/**
 * `npm test` runs the tests of all packages beside the end-to-end tests. Arguments go to vitest: `npm test -- packages/sip`
 * runs the tests of one package. A seed in the environment is ignored, so that every run does the same.
 */
import { runVitest, runVitestTogether } from './run-vitest.ts';

const names = process.argv.slice(2);
const { PARLEY_SEED: _seed, ...environment } = process.env;
process.exitCode =
  names.length > 0
    ? runVitest(names, environment)
    : await runVitestTogether(['--project', 'packages'], ['--project', 'e2e'], environment);
