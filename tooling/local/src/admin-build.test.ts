import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fingerprintOf, putInPlace } from './admin-build.ts';

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

function setup(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-sources-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
  writeFileSync(join(folder, 'src', 'deep', 'a.ts'), 'one');
  writeFileSync(join(folder, 'src', 'b.ts'), 'two');
  return folder;
}

test('a fingerprint stays the same while nothing changes, also where files are missing', () => {
  const folder = setup();
  const paths = [join(folder, 'src'), join(folder, 'missing')];
  expect(fingerprintOf(paths)).toBe(fingerprintOf(paths));
});

test.each([
  ['a content', (folder: string) => writeFileSync(join(folder, 'src', 'deep', 'a.ts'), 'other')],
  ['a new file', (folder: string) => writeFileSync(join(folder, 'src', 'c.ts'), '')],
  ['a name', (folder: string) => renameSync(join(folder, 'src', 'b.ts'), join(folder, 'src', 'c.ts'))],
])('%s changes it', (_, change) => {
  const folder = setup();
  const before = fingerprintOf([join(folder, 'src')]);
  change(folder);
  expect(fingerprintOf([join(folder, 'src')])).not.toBe(before);
});

test('a build takes the place of another one, and of none', () => {
  const folder = setup();
  const place = join(folder, 'dist');
  for (const name of ['first', 'second']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, `${name}.js`), '');
    putInPlace(join(folder, name), place);
    expect(readdirSync(place)).toEqual([`${name}.js`]);
  }
  expect(() => putInPlace(join(folder, 'missing'), place)).toThrow('ENOENT');
});
