import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { memoryFolder } from './memory-folder.ts';

test('databases of tests are stored in a folder that exists and has space', () => {
  const folder = memoryFolder();
  expect(['/dev/shm', tmpdir()]).toContain(folder);
  expect(statfsSync(folder).bavail).toBeGreaterThan(0);
});
