/**
 * `npm run mutants`: changes the safety core in every way that Stryker can and runs its tests against each change. Fails
 * when fewer than 90 % are noticed in a group. `npm run mutants -- rules addresses` runs some groups; docs/mutants.md
 * lists the changes that no test notices and why.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';
import { startTestPostgres } from '@parley/testkit/postgres';
import { groups, type MutantGroup } from './groups.ts';

const LEAST_KILLED_PERCENT = 90;
/** Also kept out of git. */
const FOLDER = 'coverage/mutants';
/** The copies of this run; runs of different groups may go side by side. */
const RUN_FOLDER = `${FOLDER}/run-${process.pid}`;

function optionsOf(
  name: string,
  { mutate, needsDatabase, includesStatic = false }: MutantGroup,
): PartialStrykerOptions {
  return {
    testRunner: 'vitest',
    // Stryker would rewrite the real one with the compiler API, which TypeScript 7 does not have.
    tsconfigFile: 'none.json',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tooling/mutants/vitest.config.ts', related: false, pool: 'forks' },
    mutate: [...mutate, '!**/*.test.ts'],
    // Texts are shown to people and SQL is checked by its results: neither is a decision. The others make code that
    // does not compile, such as `{}` in place of an object with fields.
    mutator: {
      excludedMutations: [
        'StringLiteral',
        'ObjectLiteral',
        'ArrayDeclaration',
        'ArrowFunction',
        'OptionalChaining',
      ],
    },
    // What is computed once, when a module is loaded, would need every test for each change.
    ignoreStatic: !includesStatic,
    coverageAnalysis: 'perTest',
    concurrency: 2,
    timeoutMS: needsDatabase ? 40_000 : 20_000,
    tempDirName: RUN_FOLDER,
    ignorePatterns: ['docs', '**/dist', '.parley', 'coverage'],
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
    jsonReporter: { fileName: `${FOLDER}/${name}.json` },
    thresholds: { high: 100, low: LEAST_KILLED_PERCENT, break: LEAST_KILLED_PERCENT },
  };
}

async function runGroup(name: string, group: MutantGroup, postgresUrl: string): Promise<boolean> {
  const file = join(FOLDER, `${name}.config.json`);
  writeFileSync(file, JSON.stringify(optionsOf(name, group)));
  const stryker = spawn('stryker', ['run', file], {
    stdio: 'inherit',
    // A process group of its own, so that no test process outlives a run that was interrupted.
    detached: true,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(process.cwd(), RUN_FOLDER, 'compile-cache'),
      PARLEY_MUTANT_TESTS: group.tests.join(';'),
      PARLEY_MUTANT_POSTGRES: postgresUrl,
      PARLEY_MUTANT_REPOSITORY: pathToFileURL(`${process.cwd()}/`).href,
    },
  });
  const endGroup = (): void => {
    if (stryker.pid !== undefined) signalGroup(stryker.pid);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, endGroup);
  const [exitCode] = await once(stryker, 'exit');
  for (const signal of signals) process.off(signal, endGroup);
  endGroup();
  return exitCode === 0;
}

function signalGroup(leaderPid: number): void {
  try {
    process.kill(-leaderPid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A Postgres for all groups; `work` gets its address. */
async function withPostgres(work: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-mutants-'));
  // Postgres may run under another account, which must be able to enter the folder.
  chmodSync(folder, 0o755);
  try {
    const postgres = await startTestPostgres(folder);
    try {
      await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !groups[name]);
if (unknown.length > 0)
  throw new Error(`There is no group ${unknown.join(', ')}. Known: ${Object.keys(groups).join(', ')}`);
const chosen = Object.entries(groups).filter(([name]) => names.length === 0 || names.includes(name));
const failed: string[] = [];
mkdirSync(RUN_FOLDER, { recursive: true });
try {
  await withPostgres(async (url) => {
    for (const [name, group] of chosen) if (!(await runGroup(name, group, url))) failed.push(name);
  });
} finally {
  rmSync(RUN_FOLDER, { recursive: true, force: true });
}
process.stdout.write(
  failed.length > 0 ? `Too many changes went unnoticed in: ${failed.join(', ')}\n` : 'All groups hold.\n',
);
process.exitCode = failed.length > 0 ? 1 : 0;
