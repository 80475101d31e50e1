import { expect, test } from 'vitest';
import { inBatches } from './read-lead-file.ts';

test('rows that would fill the memory are refused before a batch of them is complete', async () => {
  const long = 'x'.repeat(1_000_000);
  let read = 0;
  async function* records(): AsyncGenerator<string[]> {
    for (; read < 1_000; read += 1) yield ['+12025550101', long];
  }
  const batches = inBatches(null, records());
  await expect(batches.next()).rejects.toMatchObject({ kind: 'invalid' });
  expect(read).toBe(65);
});
