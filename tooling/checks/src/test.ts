/**
 * `npm test` runs the tests of all packages and the end-to-end tests. Arguments go to vitest: `npm test -- packages/sip`
 * runs the tests of one package. A seed in the environment is ignored, so that every run does the same.
 */
import { runVitest } from './run-vitest.ts';

const names = process.argv.slice(2);
const groups = names.length > 0 ? [] : ['--project', 'packages', '--project', 'e2e'];
const { PARLEY_SEED: _seed, ...environment } = process.env;
process.exitCode = runVitest([...groups, ...names], environment);
