import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './settings.ts';

const PAGE = join(repository, 'docs', 'settings.md');

/** Variables that are read by name and not through a schema. */
const READ_BY_NAME = ['PARLEY_PARENT_PID', 'PARLEY_URL', 'PARLEY_TOKEN'];

/** The names in the schemas of all processes: keys in capitals. */
function namesInSchemas(): string[] {
  const files = globSync(['{apps,tooling}/*/src/settings.ts', 'packages/runtime/src/settings.ts'], {
    cwd: repository,
  });
  const texts = files.map((file) => readFileSync(join(repository, file), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map((match) => match[1] ?? ''),
  );
}

/** The names in the first columns of the page's tables. */
function namesOnPage(): string[] {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| (`[^|]+`) \|/gm);
  return [...rows].flatMap((row) =>
    [...(row[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map((match) => match[1] ?? ''),
  );
}

function sorted(names: string[]): string[] {
  return [...new Set(names)].toSorted();
}

test('docs/settings.md lists every setting there is, and no other', () => {
  const known = sorted([...namesInSchemas(), ...READ_BY_NAME]);
  expect(known.length).toBeGreaterThan(30);
  expect(sorted(namesOnPage())).toEqual(known);
});

test('a name that is read without a schema is really read', () => {
  const sources = globSync('{apps,packages}/*/src/**/*.ts', { cwd: repository })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(repository, file), 'utf8'))
    .join('\n');
  for (const name of READ_BY_NAME) expect(sources).toContain(`'${name}'`);
});
