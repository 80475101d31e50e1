/**
 * Runs the goals that need no running installation. Their checks are tests beside the code, with a real Postgres or a real
 * socket, which read larger numbers from environment variables. The names of the negative controls contain those words.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Check, CheckOptions, CheckResult } from './check.ts';

export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

interface PackageTests {
  id: string;
  what: string;
  files: string[];
  /** The environment variables of the full form. */
  full?: Record<string, string>;
}

const DIALING = 'packages/core/src/dialing';
const WEBHOOKS = 'packages/core/src/webhooks';
const GUARDED = 'packages/runtime/src/guarded-http';

export const PACKAGE_TESTS: readonly PackageTests[] = [
  {
    id: 'R4',
    what: 'many dialers on one limit',
    files: [`${DIALING}/claim-races.test.ts`, `${DIALING}/shared-limits.test.ts`],
    full: { PARLEY_CLAIMERS: '32' },
  },
  {
    id: 'R6',
    what: 'calling windows beside an oracle in SQL',
    files: [`${DIALING}/calling-window.rules.test.ts`],
    full: { PARLEY_WINDOW_CASES: '1000000' },
  },
  {
    id: 'R7-8',
    what: 'clocks that disagree; a window that closes between claim and INVITE',
    files: [`${DIALING}/two-clocks.test.ts`, `${DIALING}/check-dial.test.ts`],
  },
  {
    id: 'R36',
    what: 'names that answer with another address the second time',
    files: [`${GUARDED}/rebinding.test.ts`],
    full: { PARLEY_REBINDINGS: '10000' },
  },
  {
    id: 'R38',
    what: 'receivers that hang, drip, flood and lie',
    files: [`${GUARDED}/guarded-client.test.ts`, 'apps/worker/src/webhooks/dispatcher.test.ts'],
  },
  {
    id: 'R40-41',
    what: 'signatures, rotation, retry schedule, 410, disable during retry',
    files: [WEBHOOKS],
  },
];

/** One check per goal. */
export const packageTests: readonly Check[] = PACKAGE_TESTS.map((tests) => ({
  id: tests.id,
  what: tests.what,
  run: (options) => runTests(tests, options),
}));

interface TestReport {
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

async function runTests({ files, full = {} }: PackageTests, options: CheckOptions): Promise<CheckResult> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-chaos-'));
  const outputFile = join(folder, 'report.json');
  try {
    const environment = { PARLEY_SEED: String(options.seed), ...(options.isFull ? full : {}) };
    await runVitest([...files, '--reporter=json', `--outputFile=${outputFile}`], environment);
    return resultOf(JSON.parse(await readFile(outputFile, 'utf8')) as TestReport);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runVitest(options: string[], environment: Record<string, string>): Promise<void> {
  const child = spawn('vitest', ['run', '--project', 'packages', ...options], {
    cwd: REPOSITORY,
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  await once(child, 'exit');
}

function resultOf({ testResults }: TestReport): CheckResult {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status !== 'passed');
  const controls = tests.filter(({ fullName }) => fullName.includes('negative control'));
  return {
    counts: { tests: tests.length, failed: failed.length },
    faults: [
      ...failed.slice(0, 5).map(({ fullName }) => `failed: ${fullName}`),
      ...(tests.length === 0 ? ['no test was found'] : []),
    ],
    controls: Object.fromEntries(controls.map(({ fullName, status }) => [fullName, status === 'passed'])),
  };
}
