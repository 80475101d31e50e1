import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groups, safetyCore } from './groups.ts';

const root = join(import.meta.dirname, '../../..');
const cases = Object.entries(groups);

/** The files that a list of patterns means, as Stryker reads it: a pattern that begins with `!` removes files. */
function filesOf(patterns: readonly string[]): string[] {
  const removed = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const files = new Set(globSync(wanted, { cwd: root }));
  for (const file of globSync(removed, { cwd: root })) files.delete(file);
  return [...files];
}

const mutated = new Set(cases.flatMap(([, { mutate }]) => filesOf(mutate)));

describe.each(cases)('the group %s', (_name, { mutate, tests }) => {
  const patterns = [...mutate, ...tests].map((pattern) => pattern.replace(/^!/, ''));

  test.each(patterns)('names files that exist: %s', (pattern) => {
    expect(filesOf([pattern])).not.toEqual([]);
  });

  test('shares no file with another group', () => {
    const own = filesOf(mutate);
    const others = cases.filter(([, group]) => group.mutate !== mutate);
    const shared = others.flatMap(([, group]) => filesOf(group.mutate).filter((file) => own.includes(file)));
    expect(shared.filter((file) => !file.endsWith('.test.ts'))).toEqual([]);
  });
});

test.each(safetyCore)('%s is mutated', (file) => {
  expect(mutated).toContain(file);
});
