import { expect, test } from 'vitest';
import { runChecker } from './temporary-repository.ts';

const manifest = (name: string): string => JSON.stringify({ name, exports: { '.': './src/index.ts' } });

const cycle = {
  'packages/core/package.json': manifest('@parley/core'),
  'packages/core/src/index.ts': `export type { A } from './a.ts';\n`,
  'packages/core/src/a.ts': `import type { B } from './b.ts';\nexport type A = B;\n`,
  'packages/core/src/b.ts': `import type { A } from './a.ts';\nexport type B = A;\n`,
};

test('a repository without cycles passes', () => {
  const { 'packages/core/src/b.ts': _, ...files } = cycle;
  expect(runChecker('layers.ts', files)).toEqual({ exitCode: 0, output: '2 files, 1 imports\n' });
});

test('two files that import each other for types alone turn the check red', () => {
  const { exitCode, output } = runChecker('layers.ts', cycle);
  expect(output).toContain('Import cycle: packages/core/src/a.ts, packages/core/src/b.ts');
  expect(exitCode).toBe(1);
});

test('a cycle through the entry of another package turns the check red', () => {
  const { exitCode, output } = runChecker('layers.ts', {
    'packages/one/package.json': manifest('@parley/one'),
    'packages/one/src/index.ts': `import '@parley/two';\n`,
    'packages/two/package.json': manifest('@parley/two'),
    'packages/two/src/index.ts': `import '@parley/one';\n`,
  });
  expect(output).toContain('Import cycle: packages/one/src/index.ts, packages/two/src/index.ts');
  expect(exitCode).toBe(1);
});

test('an upward import turns the check red', () => {
  const { exitCode, output } = runChecker('layers.ts', {
    'apps/worker/package.json': manifest('@parley/worker'),
    'apps/worker/src/tasks/task.ts': `import '../app.ts';\n`,
    'apps/worker/src/app.ts': `export const app = 1;\n`,
  });
  expect(output).toContain('Upward import: apps/worker/src/tasks/task.ts:1 imports apps/worker/src/app.ts');
  expect(exitCode).toBe(1);
});

test('an import of a package that does not exist turns the check red', () => {
  const { exitCode, output } = runChecker('layers.ts', {
    'packages/one/src/index.ts': `import '@parley/nothing';\n`,
  });
  expect(output).toContain('imports @parley/nothing, which no package exports');
  expect(exitCode).toBe(1);
});
