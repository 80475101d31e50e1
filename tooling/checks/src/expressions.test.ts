import { expect, test } from 'vitest';
import { runChecker } from './temporary-repository.ts';

const run = (source: string) => runChecker('expressions.ts', { 'packages/one/src/file.ts': source });

test('a file without slow expressions passes', () => {
  expect(run('export const digits = /^[0-9]+$/;\n')).toEqual({
    exitCode: 0,
    output: '1 files, 1 expressions\n',
  });
});

test('a slow expression turns the check red', () => {
  const { exitCode, output } = run('\nexport const end = /a+$/;\n');
  expect(output).toContain('packages/one/src/file.ts:2 /a+$/: polynomial backtracking');
  expect(exitCode).toBe(1);
});

test('an expression that is built at run time turns the check red', () => {
  const { exitCode, output } = run('export const find = (word: string) => new RegExp(word);\n');
  expect(output).toContain('packages/one/src/file.ts:1 builds an expression at run time');
  expect(exitCode).toBe(1);
});
