/** How Stryker runs the tests of one group, `PARLEY_MUTANT_TESTS`, in its copy of the repository. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../../', import.meta.url));

export default defineConfig({
  root,
  resolve: { alias: { '@parley/testkit': `${root}packages/testkit/src/index.ts` } },
  test: {
    pool: 'forks',
    isolate: false,
    globalSetup:
      process.env['PARLEY_MUTANT_DATABASE'] === 'true' ? [`${root}packages/testkit/src/vitest-setup.ts`] : [],
    setupFiles: [`${root}packages/testkit/src/test-file-setup.ts`],
    include: (process.env['PARLEY_MUTANT_TESTS'] ?? '').split(';').filter(Boolean),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
