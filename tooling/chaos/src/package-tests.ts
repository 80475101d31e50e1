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
  /** Where the files are; default `packages`. */
  project?: 'packages' | 'long' | 'chaos';
}

const DIALING = 'packages/core/src/dialing';
const WEBHOOKS = 'packages/core/src/webhooks';
const GUARDED = 'packages/runtime/src/guarded-http';
const GENERATED = 'apps/api/test/generated';
const LIFECYCLE = 'packages/core/src/lifecycle';

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
    id: 'R11',
    what: 'a disk without space, below recordings and below Postgres',
    files: ['apps/voice/src/recorder.test.ts'],
  },
  {
    id: 'R11-db',
    what: 'requests while Postgres is out of disk space, killed or frozen',
    files: ['apps/api/test/postgres-outage.test.ts'],
    project: 'long',
  },
  {
    id: 'R18',
    what: 'RTP from other ports and addresses',
    files: [
      'packages/telephony/src/rtp/source-latch.test.ts',
      'packages/telephony/src/rtp/media-stream.test.ts',
      'packages/telephony/src/rtp/media-stream-faults.test.ts',
    ],
  },
  {
    id: 'R22',
    what: 'SIP scanners and guessed passwords',
    files: [
      'packages/telephony/src/sip/source-bans.test.ts',
      'packages/telephony/src/sip/agent-driver.test.ts',
    ],
  },
  {
    id: 'R24',
    what: 'toll fraud: countries, kinds of numbers, limits per second and day',
    files: [
      `${LIFECYCLE}/toll-fraud.test.ts`,
      `${LIFECYCLE}/dial-limits.test.ts`,
      `${LIFECYCLE}/own-dial-limits.test.ts`,
    ],
  },
  {
    id: 'R25',
    what: 'people who say that they must not be called again',
    files: [
      'packages/conversation/src/conversation-opt-out.test.ts',
      'packages/conversation/src/recognition/opt-out.rules.test.ts',
      'packages/core/src/do-not-call/do-not-call-list.test.ts',
    ],
  },
  {
    id: 'R30',
    what: 'tokens that are guessed, stolen or revoked',
    files: [`${GENERATED}/authorization.test.ts`, 'packages/core/src/users'],
  },
  {
    id: 'R31',
    what: 'generated requests, valid and with one rule broken',
    files: [`${GENERATED}/generated-requests.test.ts`],
    full: { PARLEY_FUZZ_RUNS: '200' },
  },
  {
    id: 'R32',
    what: 'huge, deep, slow and malformed bodies',
    files: [
      'apps/api/src/rest/hostile-bodies.test.ts',
      `${GENERATED}/slow-body.test.ts`,
      `${GENERATED}/amplification.test.ts`,
    ],
  },
  {
    id: 'R33',
    what: 'prototype pollution by variables, schemas and answers of tools',
    files: [
      `${GENERATED}/hostile-input.test.ts`,
      'packages/contracts/src/coercion.test.ts',
      'packages/script/src/variables.rules.test.ts',
      'packages/conversation/src/tools/tool-arguments.rules.test.ts',
    ],
  },
  {
    id: 'R34',
    what: 'regular expressions that input can make slow',
    files: ['tooling/checks/src/expressions.test.ts'],
  },
  {
    id: 'R49',
    what: 'secrets at rest, and another key without downtime',
    files: ['packages/core/src/setup/reseal-secrets.test.ts', 'apps/cli/src/commands/reseal-secrets.test.ts'],
  },
  {
    id: 'R49-live',
    what: 'another secret key under calls and webhooks, while processes are killed',
    files: ['tooling/e2e/test/key-rotation.test.ts'],
    project: 'chaos',
  },
  {
    id: 'R51',
    what: 'backup and restore, and a copy that does not dial',
    files: ['apps/cli/src/commands/backup.test.ts', 'packages/core/src/setup/restored-copy.test.ts'],
  },
  {
    id: 'R58',
    what: 'a person who is erased',
    files: ['packages/core/src/retention/erase-person.test.ts', 'apps/cli/src/commands/retention.test.ts'],
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

async function runTests(
  { files, full = {}, project = 'packages' }: PackageTests,
  options: CheckOptions,
): Promise<CheckResult> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-chaos-'));
  const outputFile = join(folder, 'report.json');
  try {
    const environment = { PARLEY_SEED: String(options.seed), ...(options.isFull ? full : {}) };
    await runVitest(
      ['--project', project, ...files, '--reporter=json', `--outputFile=${outputFile}`],
      environment,
    );
    return resultOf(JSON.parse(await readFile(outputFile, 'utf8')) as TestReport);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runVitest(options: string[], environment: Record<string, string>): Promise<void> {
  const child = spawn('vitest', ['run', ...options], {
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
