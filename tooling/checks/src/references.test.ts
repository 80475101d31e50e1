import { expect, test } from 'vitest';
import { runChecker } from './temporary-repository.ts';

const files = {
  'docs/api.md': 'The contract is in `one/calls.ts`.\n',
  'packages/one/src/calls.ts':
    '/** Endpoints of calls; see docs/api.md. */\nexport const path = "docs/gone.md";\n',
};

test('names of existing files and names inside strings are not faults', () => {
  expect(runChecker('references.ts', files)).toEqual({ exitCode: 0, output: '2 files, 2 names\n' });
});

test.each([
  [
    'a comment',
    'packages/one/src/new.ts',
    '// First line.\n/**\n * See docs/gone.md.\n */\nexport const a = 1;\n',
  ],
  ['a page', 'README.md', 'First line.\n\nSee [the page](docs/gone.md).\n'],
])('a missing file named in %s turns the check red', (_name, path, content) => {
  const { exitCode, output } = runChecker('references.ts', { ...files, [path]: content });
  expect(output).toContain(`${path}:3 names docs/gone.md`);
  expect(exitCode).toBe(1);
});
