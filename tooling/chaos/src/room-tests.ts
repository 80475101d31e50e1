/**
 * Goals that need no running installation: their checks are tests beside the code, with a real Postgres or a real socket,
 * and take larger numbers from the environment. This program runs them at full length. Their negative controls are tests
 * too, which is stated in their names.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Check, CheckOptions, CheckResult } from './check.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

interface RoomTests {
  id: string;
  what: string;
  files: string[];
  /** The environment variables of the full form. */
  full?: Record<string, string>;
}

const CAMPAIGNS = 'packages/core/src/campaigns';
const WEBHOOKS = 'packages/core/src/webhooks';
const GUARDED = 'packages/runtime/src/guarded-http';

const ROOM_TESTS: readonly RoomTests[] = [
  {
    id: 'R4',
    what: 'many dialers on one limit',
    files: [`${CAMPAIGNS}/claim-races.test.ts`, `${CAMPAIGNS}/shared-limits.test.ts`],
    full: { PARLEY_CLAIMERS: '32' },
  },
  {
    id: 'R6',
    what: 'calling windows beside an oracle in SQL',
    files: [`${CAMPAIGNS}/calling-window.rules.test.ts`],
    full: { PARLEY_WINDOW_CASES: '1000000' },
  },
  {
    id: 'R7-8',
    what: 'clocks that disagree; a window that closes between claim and INVITE',
    files: [`${CAMPAIGNS}/two-clocks.test.ts`, `${CAMPAIGNS}/check-dial.test.ts`],
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
export const roomTests: readonly Check[] = ROOM_TESTS.map((tests) => ({
  id: tests.id,
  what: tests.what,
  run: (options) => runTests(tests, options),
}));

interface TestReport {
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

async function runTests({ files, full = {} }: RoomTests, options: CheckOptions): Promise<CheckResult> {
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

async function runVitest(words: string[], environment: Record<string, string>): Promise<void> {
  const child = spawn('vitest', ['run', '--project', 'rooms', ...words], {
    cwd: repository,
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
