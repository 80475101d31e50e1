import { expect, test } from 'vitest';
import { progressLine } from './progress-bar.ts';

test.each([
  [0, 2_000_000, `[${'.'.repeat(30)}]   0 %  0.0 of 2.0 MB`],
  [1_000_000, 2_000_000, `[${'#'.repeat(15)}${'.'.repeat(15)}]  50 %  1.0 of 2.0 MB`],
  [1_999_999, 2_000_000, `[${'#'.repeat(29)}.]  99 %  2.0 of 2.0 MB`],
  [2_000_000, 2_000_000, `[${'#'.repeat(30)}] 100 %  2.0 of 2.0 MB`],
  [0, 0, `[${'#'.repeat(30)}] 100 %  0.0 of 0.0 MB`],
  [3_100_000, null, '3.1 MB'],
])('%i of %o bytes', (done, total, line) => {
  expect(progressLine(done, total)).toBe(line);
});
