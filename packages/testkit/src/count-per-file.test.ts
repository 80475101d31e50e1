import { expect, test } from 'vitest';
import { countPerFile, restartCounters } from './count-per-file.ts';

test('a counter starts again with the next test file', () => {
  const first = countPerFile();
  const second = countPerFile();
  expect([first(), first(), second()]).toEqual([1, 2, 1]);
  restartCounters();
  expect([first(), second()]).toEqual([1, 1]);
});
