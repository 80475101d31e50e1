/** How `vitest run` finds the tests of every room; the whole house (tooling/e2e) is a project of its own. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const TEST_FILES = '**/*.test.{ts,tsx}';
/** Tests that start the whole house. */
const HOUSE_TESTS = [
  `tooling/e2e/${TEST_FILES}`,
  `tooling/chaos/test/${TEST_FILES}`,
  'tooling/local/src/main.test.ts',
];

export default defineConfig({
  resolve: {
    // No room depends on testkit, or it would be a cycle; tests find it here and in tsconfig.json.
    alias: { '@parley/testkit': fileURLToPath(new URL('packages/testkit/src/index.ts', import.meta.url)) },
  },
  test: {
    // Processes, not threads: some tests spawn, send signals to themselves, or load native modules.
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['packages/testkit/src/vitest-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: [`packages/${TEST_FILES}`, `apps/${TEST_FILES}`, `tooling/${TEST_FILES}`],
          exclude: ['**/node_modules/**', '**/dist/**', ...HOUSE_TESTS],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: HOUSE_TESTS,
          exclude: ['**/node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Whole houses wait for phones more than for the processor: two stand side by side, on ports of their own.
          maxWorkers: 2,
        },
      },
    ],
  },
});
