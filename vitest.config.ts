/**
 * One vitest run for the whole tree. `@parley/testkit` is resolved here and in tooling/typescript/node.json rather than
 * as a dependency: tests of every room use it, and it uses most rooms, which as dependencies would be a circle.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: { '@parley/testkit': fileURLToPath(new URL('packages/testkit/src/index.ts', import.meta.url)) },
  },
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'tooling/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
  },
});
