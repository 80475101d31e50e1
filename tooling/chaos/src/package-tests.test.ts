import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PACKAGE_TESTS, REPOSITORY } from './package-tests.ts';

test.each(PACKAGE_TESTS.flatMap(({ id, files }) => files.map((file) => ({ id, file }))))(
  '$id names an existing test: $file',
  ({ file }) => {
    expect(existsSync(join(REPOSITORY, file))).toBe(true);
  },
);
