/**
 * Seven groups of tests. `npm test` runs `packages`, the tests of the packages and apps, beside `e2e`, those with whole
 * installations. `npm run check` runs `statements`, which compares SQL with TypeScript. `npm run test:long` runs `paired`,
 * `long` and `pages` on a machine with nothing else to do: tests that take minutes, measure time, wait for processes to end,
 * compute with models of speech or talk to other SIP programs, pages of the admin app in Chromium, and every case of the
 * generated tests. `chaos` is run by `npm run chaos` alone.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const TEST_FILES = '**/*.test.{ts,tsx}';
const NO_TESTS = ['**/node_modules/**', '**/dist/**'];
/** Long tests that wait more than they compute, and measure no times of speech: two run side by side. */
const PAIRED_LONG_TESTS = [
  'apps/cli/src/commands/{backup,lead-import-killed,mcp,test}.test.ts',
  'packages/client/src/published-package.test.ts',
  'packages/core/src/setup/restored-copy.test.ts',
  'packages/db/src/embedded/{embedded-postgres,postgres-account}.test.ts',
  'tooling/e2e/test/admin-setup.test.ts',
  'tooling/e2e/test/widget.test.ts',
  'tooling/e2e/test/phone-lines.test.ts',
  'tooling/e2e/test/knowledge.test.ts',
  'tooling/e2e/test/accessibility.test.ts',
  'tooling/e2e/test/client-examples.test.ts',
  'tooling/e2e/test/client-in-browser.test.ts',
  'tooling/e2e/test/evaluations.test.ts',
  'tooling/e2e/test/first-minutes.test.ts',
  'tooling/e2e/test/evaluation-gate.test.ts',
  'tooling/e2e/test/health-indicator.test.ts',
  'tooling/e2e/test/hosted-providers.test.ts',
  'tooling/e2e/test/inbound-routes.test.ts',
  'tooling/e2e/test/carrier-media-streams.test.ts',
  'tooling/e2e/test/carrier-outbound-streams.test.ts',
  'tooling/e2e/test/telnyx-media-streams.test.ts',
  'tooling/e2e/test/inbound-webhook.test.ts',
  'tooling/e2e/test/mcp.test.ts',
  'tooling/e2e/test/operator-stories.test.ts',
  'tooling/e2e/test/recorded-phrases.test.ts',
  'tooling/e2e/test/registration.test.ts',
  'tooling/e2e/test/tools.test.ts',
  'tooling/e2e/test/warm-transfer.test.ts',
];
/** Long tests that need the machine for themselves. */
const LONE_LONG_TESTS = [
  'apps/api/test/postgres-outage.test.ts',
  'apps/voice/src/app.test.ts',
  'apps/voice/src/diagnosis/diagnose-trunk.test.ts',
  'apps/worker/src/{job-runner,pool-liveness}.test.ts',
  'packages/conversation/src/recognition/near-end-gate.test.ts',
  'packages/runtime/src/supervision/supervised-process.test.ts',
  'packages/speech/src/providers/flite/flite-synthesiser.test.ts',
  'packages/speech/src/providers/moonshine/moonshine-recogniser.test.ts',
  'packages/speech/src/providers/rnnoise/noise-filter.test.ts',
  'packages/speech/src/providers/silero/silero-corpus.test.ts',
  'packages/speech/test/dtmf-in-speech.test.ts',
  'packages/telephony/src/browser/webrtc-leg.test.ts',
  `packages/telephony/test/interop/${TEST_FILES}`,
  'tooling/bench/src/amd.test.ts',
  `tooling/chaos/test/${TEST_FILES}`,
  'tooling/e2e/test/booking.test.ts',
  'tooling/e2e/test/bridge.test.ts',
  'tooling/e2e/test/fleet.test.ts',
  'tooling/e2e/test/human-caller.test.ts',
  'tooling/e2e/test/media-streams.test.ts',
  'tooling/e2e/test/kills.test.ts',
  'tooling/e2e/test/line-tools.test.ts',
  'tooling/e2e/test/local-model.test.ts',
  'tooling/e2e/test/ordinary-people.test.ts',
  'tooling/e2e/test/noisy-callers.test.ts',
  'tooling/e2e/test/speech-to-speech.test.ts',
  'tooling/e2e/test/stalled-providers.test.ts',
  'tooling/e2e/test/supervision.test.ts',
  'tooling/e2e/test/webrtc.test.ts',
  'tooling/local/src/{local-database,main}.test.ts',
  'tooling/phones/src/phone.test.ts',
];
const LONG_TESTS = [...PAIRED_LONG_TESTS, ...LONE_LONG_TESTS];
/** Tests of `npm run test:long` that use the installation which test files share. */
const PAGE_TESTS = [
  'tooling/e2e/test/{account-forms,carrier-forms,docs-page,draft-call,forms,long-lists,page-details,workplace}.test.ts',
];
/** Tests of goals that take minutes and would tell `npm run test:long` little more. */
const CHAOS_TESTS = ['tooling/e2e/test/key-rotation.test.ts'];
const STATEMENT_TESTS = ['tooling/checks/test/statement-rows.test.ts'];
/** Tests of `npm test` that do more in `npm run test:long`, where `PARLEY_LONG` is set. */
const LONGER_FORMS = [
  'apps/api/test/generated/{authorization,generated-requests,hostile-input,ownership}.test.ts',
  'packages/conversation/src/conversation-people.test.ts',
  'packages/core/src/dialing/calling-window.rules.test.ts',
];
/** Tests with a whole installation, most of them with the same one. */
const E2E_TESTS = [`tooling/e2e/${TEST_FILES}`];
/**
 * Whole installations hold calls in real time, and a machine that stands still for some seconds fails them: a voice process that
 * cannot renew its lease for 10 s ends its calls. The reporter lists the tests that passed only when repeated.
 */
const REAL_TIME_RETRIES = 1;

export default defineConfig({
  test: {
    // Processes, not threads: some tests spawn, send signals to themselves, or load native modules.
    pool: 'forks',
    // Node loads the modules itself, as in production. Vite's module runner takes a fifth more processor time for all tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [
      '--import',
      fileURLToPath(new URL('packages/testkit/src/resolve-testkit.ts', import.meta.url)),
    ],
    // No test replaces a module or changes the environment, so that files can share a process: starting one and loading
    // its modules takes 0.85 s of processor time for each of the 430 files.
    isolate: false,
    // One more than the cores of the reference machine: many tests wait for timers, for child processes or for Postgres.
    maxWorkers: 3,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['packages/testkit/src/vitest-setup.ts'],
    setupFiles: ['packages/testkit/src/test-file-setup.ts'],
    reporters: ['default', './tooling/checks/src/unusual-tests.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: [`packages/${TEST_FILES}`, `apps/${TEST_FILES}`, `tooling/${TEST_FILES}`],
          exclude: [...NO_TESTS, ...E2E_TESTS, ...LONG_TESTS, ...STATEMENT_TESTS],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: E2E_TESTS,
          exclude: [...NO_TESTS, ...LONG_TESTS, ...PAGE_TESTS, ...CHAOS_TESTS],
          globalSetup: ['tooling/e2e/src/shared-installation-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Calls wait for phones more than for the processor; with three at once, speech on two cores comes too late.
          maxWorkers: 2,
          retry: REAL_TIME_RETRIES,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'statements', include: STATEMENT_TESTS, testTimeout: 120_000, hookTimeout: 120_000 },
      },
      {
        extends: true,
        test: { name: 'chaos', include: CHAOS_TESTS, testTimeout: 600_000, hookTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'paired',
          include: [...PAIRED_LONG_TESTS, ...LONGER_FORMS],
          env: { PARLEY_LONG: 'true' },
          exclude: NO_TESTS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          retry: REAL_TIME_RETRIES,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: LONE_LONG_TESTS,
          exclude: NO_TESTS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          retry: REAL_TIME_RETRIES,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: PAGE_TESTS,
          globalSetup: ['tooling/e2e/src/shared-installation-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          retry: REAL_TIME_RETRIES,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
