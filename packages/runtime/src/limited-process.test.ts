import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { runLimited } from './limited-process.ts';

function run(what: string, { bytes = new Uint8Array(), processorLimitMs = 60_000 } = {}): Promise<unknown> {
  return runLimited({
    file: new URL('../test/greedy-process.ts', import.meta.url),
    workerData: [what, bytes],
    processorLimitMs,
    clock: systemClock,
  });
}

test('work gets bytes and answers with bytes', async () => {
  expect(await run('sends bytes back', { bytes: new Uint8Array([1, 2, 3]) })).toEqual(
    new Uint8Array([1, 2, 3, 4]),
  );
});

test('the secrets of this process are not in the environment of the work', async () => {
  expect(Object.keys(process.env)).not.toEqual([]);
  expect(await run('shows its environment')).toEqual([]);
});

test.each([
  ['fails', 'It cannot be read.'],
  // In a thread of this process V8 ends the process.
  ['keeps one value larger than its heap', 'It needs too much memory to be read.'],
  ['fills buffers', 'It needs too much memory to be read.'],
])('work that %s has a sentence for its owner, and this process goes on', async (what, failure) => {
  expect(await run(what)).toEqual({ failure });
});

test('work is ended after its processor time', async () => {
  const answer = await run('computes without end', { processorLimitMs: 500 });
  expect(answer).toEqual({ failure: 'It takes too long to be read.' });
});
