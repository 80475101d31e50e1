import { expect, test } from 'vitest';
import { createAskedWork } from './asked-work.ts';

test('work is done once for each ask, and once more for any number of asks meanwhile', async () => {
  let runs = 0;
  const gate: PromiseWithResolvers<void>[] = [];
  const work = createAskedWork(async () => {
    runs += 1;
    gate.push(Promise.withResolvers());
    await gate.at(-1)?.promise;
  });
  work.ask();
  for (let ask = 0; ask < 5; ask++) work.ask();
  expect(runs).toBe(1);
  gate[0]?.resolve();
  await Promise.resolve();
  await Promise.resolve();
  gate[1]?.resolve();
  await work.idle();
  expect(runs).toBe(2);
});

test('nothing asked for is forgotten at the end of a run', async () => {
  let runs = 0;
  const work = createAskedWork(async () => void (runs += 1));
  for (let ask = 1; ask <= 100; ask++) {
    work.ask();
    for (let turn = 0; turn < ask % 7; turn++) await Promise.resolve();
  }
  await work.idle();
  const before = runs;
  work.ask();
  await work.idle();
  expect(runs).toBe(before + 1);
});

test('those who ask while it rests are served together afterwards', async () => {
  let runs = 0;
  const rest = Promise.withResolvers<void>();
  const work = createAskedWork(
    async () => void (runs += 1),
    () => rest.promise,
  );
  work.ask();
  await Promise.resolve();
  for (let ask = 0; ask < 5; ask++) work.ask();
  expect(runs).toBe(1);
  rest.resolve();
  await work.idle();
  expect(runs).toBe(2);
});
