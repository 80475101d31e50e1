/**
 * `npm run mutants`: changes the safety core in every way that Stryker can and runs its tests against each change. Fails
 * when fewer than 90 % are noticed. `npm run mutants -- rules addresses` runs some groups; docs/mutants.md lists the
 * changes that no test notices and why.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';
import { groups, type MutantGroup } from './groups.ts';

const LEAST_KILLED_PERCENT = 90;
/** Also kept out of git. */
const FOLDER = 'coverage/mutants';

function optionsOf(name: string, { mutate, needsDatabase }: MutantGroup): PartialStrykerOptions {
  return {
    testRunner: 'vitest',
    // Stryker would rewrite the real one with the compiler API, which TypeScript 7 does not have.
    tsconfigFile: 'none.json',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tooling/mutants/vitest.config.ts', related: false, pool: 'forks' },
    mutate: [...mutate, '!**/*.test.ts'],
    // Texts are shown to people and SQL is checked by its results: neither is a decision.
    mutator: { excludedMutations: ['StringLiteral'] },
    // What is computed once, when a module is loaded, would need a new process for each change.
    ignoreStatic: true,
    coverageAnalysis: 'perTest',
    concurrency: 2,
    timeoutMS: needsDatabase ? 30_000 : 5_000,
    tempDirName: `${FOLDER}/sandbox`,
    ignorePatterns: ['apps', 'docs', '**/dist', '.parley', 'coverage'],
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
    jsonReporter: { fileName: `${FOLDER}/${name}.json` },
    thresholds: { high: 100, low: LEAST_KILLED_PERCENT, break: LEAST_KILLED_PERCENT },
  };
}

function runGroup(name: string, group: MutantGroup): boolean {
  const file = join(FOLDER, `${name}.config.json`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, JSON.stringify(optionsOf(name, group)));
  const run = spawnSync('stryker', ['run', file], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PARLEY_MUTANT_TESTS: group.tests.join(';'),
      PARLEY_MUTANT_DATABASE: String(group.needsDatabase),
    },
  });
  return run.status === 0;
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !groups[name]);
if (unknown.length > 0)
  throw new Error(`There is no group ${unknown.join(', ')}. Known: ${Object.keys(groups).join(', ')}`);
const chosen = Object.entries(groups).filter(([name]) => names.length === 0 || names.includes(name));
const failed = chosen.filter(([name, group]) => !runGroup(name, group)).map(([name]) => name);
process.stdout.write(
  failed.length > 0 ? `Too many changes went unnoticed in: ${failed.join(', ')}\n` : 'All groups hold.\n',
);
process.exitCode = failed.length > 0 ? 1 : 0;
