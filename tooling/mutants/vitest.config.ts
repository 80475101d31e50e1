/**
 * How Stryker runs the tests of one group, `PARLEY_MUTANT_TESTS`, in its copy of the repository. Each change is tested in a
 * new process, so most of its time goes into loading modules: Node loads them itself and caches what it compiled, which
 * takes 1 s of processor time where Vite takes 3.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = fileURLToPath(new URL('./', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

export default defineConfig({
  root,
  test: {
    pool: 'forks',
    isolate: false,
    execArgv: ['--import', `${here}src/resolve-in-copy.ts`],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: [`${here}src/provide-postgres.ts`],
    setupFiles: [`${root}packages/testkit/src/test-file-setup.ts`],
    include: (process.env['PARLEY_MUTANT_TESTS'] ?? '').split(';').filter(Boolean),
    testTimeout: 12_000,
    hookTimeout: 12_000,
  },
});
