import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { LogFiles } from './log-files.ts';

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).toReversed()) step();
});

function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-logs-'));
  const files = new LogFiles(folder);
  undo.push(
    () => rmSync(folder, { recursive: true }),
    () => files.close(),
  );
  return { folder, files, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

test('each process has its own file, which only its owner may read', () => {
  const { folder, files, read } = setup();
  files.append('api', 'one');
  files.append('voice', 'two');
  files.append('api', 'three');
  expect([read('api.log'), read('voice.log')]).toEqual(['one\nthree\n', 'two\n']);
  expect(statSync(join(folder, 'api.log')).mode & 0o777).toBe(0o600);
});

test('a large file is replaced by a new one, once', () => {
  const { folder, files, read } = setup();
  writeFileSync(join(folder, 'api.log'), Buffer.alloc(20 * 1024 * 1024, 'x'));
  files.append('api', 'the last line of the old file');
  files.append('api', 'the first line of the new file');
  expect(read('api.log')).toBe('the first line of the new file\n');
  expect(read('api.log.1').endsWith('the last line of the old file\n')).toBe(true);
});

test.skipIf(process.platform !== 'linux')('a full disk loses lines without an error, and no others', () => {
  const { folder, files, read } = setup();
  symlinkSync('/dev/full', join(folder, 'api.log'));
  files.append('api', 'there is no room for this line');
  files.append('voice', 'one');
  expect(read('voice.log')).toBe('one\n');
  // As soon as there is room, the next line is written.
  files.close();
  rmSync(join(folder, 'api.log'));
  files.append('api', 'two');
  expect(read('api.log')).toBe('two\n');
});

test('a missing folder loses lines without an error', () => {
  const { folder, files } = setup();
  rmSync(folder, { recursive: true });
  files.append('api', 'into nowhere');
  writeFileSync(folder, '');
});
