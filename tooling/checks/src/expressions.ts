/** Checks that no regular expression of the shipped source can be made slow by its input (R34 of docs/goals.md). */
import { readFileSync } from 'node:fs';
import { readExpressions } from './read-expressions.ts';
import { listRepositoryFiles } from './repository-files.ts';
import { findSlowness } from './slow-expressions.ts';

/** Everything that runs in an installation, the test phones and the supervisor of `npm start` included. */
const SHIPPED = /^((apps|packages)\/(?!testkit\/)[^/]+|tooling\/(phones|local))\/src\/.*\.tsx?$/;

/** Runs expressions of the user's own suite file on their machine, each with a time limit. */
const WITH_TIME_LIMIT = 'packages/suites/src/phrase.ts';

const files = listRepositoryFiles().filter((file) => SHIPPED.test(file) && !/\.test\.tsx?$/.test(file));
let expressions = 0;
const faults = files.flatMap((file) => {
  const { literals, builtAtRunTime } = readExpressions(file, readFileSync(file, 'utf8'));
  expressions += literals.length;
  return [
    ...(file === WITH_TIME_LIMIT ? [] : builtAtRunTime).map(
      (line) => `${file}:${line} builds an expression at run time, which cannot be checked`,
    ),
    ...literals.flatMap(({ pattern, flags, line }) => {
      const slowness = findSlowness(pattern, flags);
      return slowness === null ? [] : [`${file}:${line} /${pattern}/${flags}: ${slowness}`];
    }),
  ];
});
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${files.length} files, ${expressions} expressions\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
