/** `npm run fix`: runs the tools that correct faults automatically. */
import { runSteps } from './run-steps.ts';

const isDone = await runSteps(
  [
    { name: 'lint fixes', command: 'oxlint', arguments: ['-c', 'tooling/lint/oxlint.json', '--fix', '.'] },
    { name: 'format', command: 'oxfmt', arguments: ['.'] },
  ],
  1,
);
process.exitCode = isDone ? 0 : 1;
