/** `npm run check`: everything that can be known about the tree without running it. A check that saw no file failed. */
import { runSteps, type Step } from './run-steps.ts';

const sawNothing =
  (pattern: RegExp) =>
  (output: string): string | null =>
    pattern.test(output) ? null : 'it did not say that it looked at any file';

const node = process.execPath;
const steps: Step[] = [
  {
    name: 'types',
    command: 'turbo',
    arguments: ['run', 'types', '--output-logs=errors-only', '--no-update-notifier'],
    suspect: sawNothing(/Tasks:\s+[1-9]\d* successful/),
  },
  {
    name: 'lint',
    command: 'oxlint',
    arguments: ['-c', 'tooling/lint/oxlint.json', '--type-aware', '--deny-warnings', '.'],
    suspect: sawNothing(/on [1-9]\d* files/),
  },
  {
    name: 'format',
    command: 'oxfmt',
    arguments: ['--check', '.'],
    suspect: sawNothing(/on [1-9]\d* files/),
  },
  {
    name: 'floors',
    command: 'turbo',
    arguments: ['boundaries', '--no-color'],
    suspect: sawNothing(/Checked [1-9]\d* files/),
  },
  {
    name: 'layers and import cycles',
    command: node,
    arguments: ['tooling/checks/src/layers.ts'],
    suspect: sawNothing(/[1-9]\d* files, [1-9]\d* imports/),
  },
  {
    name: 'references to files',
    command: node,
    arguments: ['tooling/checks/src/references.ts'],
    suspect: sawNothing(/[1-9]\d* files, [1-9]\d* names/),
  },
  { name: 'dead code', command: 'knip', arguments: ['--no-progress'] },
  { name: 'one version per dependency', command: 'sherif', arguments: ['--fail-on-warnings'] },
  {
    name: 'licences',
    command: node,
    arguments: ['tooling/checks/src/licences.ts'],
    suspect: sawNothing(/[1-9]\d* packages/),
  },
  {
    name: 'house rules',
    command: node,
    arguments: ['tooling/checks/src/house-rules.ts'],
    suspect: sawNothing(/[1-9]\d* files/),
  },
];

process.exitCode = (await runSteps(steps, 2)) ? 0 : 1;
