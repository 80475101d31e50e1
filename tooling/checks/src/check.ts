/**
 * `npm run check`: every static check. `npm run check -- types lint` runs the named ones. A check that looked at no file
 * fails.
 */
import { runSteps, type Step } from './run-steps.ts';

const sawNothing =
  (pattern: RegExp) =>
  (output: string): string | null =>
    pattern.test(output) ? null : 'it did not say that it looked at any file';

const node = process.execPath;

/** One program for all server code, because each program checks the files of its dependencies again. */
function typesStep(name: string, project: string): Step {
  const cache = `node_modules/.cache/${name.replaceAll(' ', '-')}.tsbuildinfo`;
  return {
    name,
    command: 'tsc',
    arguments: ['-p', project, '--incremental', '--tsBuildInfoFile', cache, '--diagnostics'],
    suspect: sawNothing(/Files:\s+[1-9]/),
  };
}

const steps: Step[] = [
  typesStep('types', '.'),
  {
    name: 'lint',
    command: 'oxlint',
    arguments: ['-c', 'tooling/lint/oxlint.json', '--type-aware', '--deny-warnings', '.'],
    suspect: sawNothing(/on [1-9]\d* files/),
  },
  typesStep('types of the admin app', 'apps/admin'),
  {
    name: 'format',
    command: 'oxfmt',
    arguments: ['--check', '.'],
    suspect: sawNothing(/on [1-9]\d* files/),
  },
  {
    name: 'layers of packages',
    command: 'turbo',
    arguments: ['boundaries', '--no-color'],
    suspect: sawNothing(/Checked [1-9]\d* files/),
  },
  {
    name: 'layers of folders, import cycles',
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
  {
    name: 'regular expressions',
    command: node,
    arguments: ['tooling/checks/src/expressions.ts'],
    suspect: sawNothing(/[1-9]\d* files, [1-9]\d* expressions/),
  },
  {
    name: 'rows of SQL statements',
    command: 'vitest',
    arguments: ['run', '--project', 'statements'],
    suspect: sawNothing(/[1-9]\d* passed/),
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
    name: 'source rules',
    command: node,
    arguments: ['tooling/checks/src/source-rules.ts'],
    suspect: sawNothing(/[1-9]\d* files/),
  },
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) throw new Error(`There is no check called ${unknown.join(', ')}.`);
const chosen = steps.filter((step) => names.length === 0 || names.includes(step.name));
process.exitCode = (await runSteps(chosen, 2)) ? 0 : 1;
