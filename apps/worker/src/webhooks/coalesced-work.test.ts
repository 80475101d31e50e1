import { expect, test } from 'vitest';
import { createCoalescedWork } from './coalesced-work.ts';

test('each request causes a run, and any number of requests during a run cause one more', async () => {
  let runs = 0;
  const gate: PromiseWithResolvers<void>[] = [];
  const work = createCoalescedWork(async () => {
    runs += 1;
    gate.push(Promise.withResolvers());
    await gate.at(-1)?.promise;
  });
  work.request();
  for (let count = 0; count < 5; count++) work.request();
  expect(runs).toBe(1);
  gate[0]?.resolve();
  await Promise.resolve();
  await Promise.resolve();
  gate[1]?.resolve();
  await work.idle();
  expect(runs).toBe(2);
});

test('a request at the end of a run is not lost', async () => {
  let runs = 0;
  const work = createCoalescedWork(async () => void (runs += 1));
  for (let count = 1; count <= 100; count++) {
    work.request();
    for (let turn = 0; turn < count % 7; turn++) await Promise.resolve();
  }
  await work.idle();
  const before = runs;
  work.request();
  await work.idle();
  expect(runs).toBe(before + 1);
});

test('requests during the pause share the next run', async () => {
  let runs = 0;
  const rest = Promise.withResolvers<void>();
  const work = createCoalescedWork(
    async () => void (runs += 1),
    () => rest.promise,
  );
  work.request();
  await Promise.resolve();
  for (let count = 0; count < 5; count++) work.request();
  expect(runs).toBe(1);
  rest.resolve();
  await work.idle();
  expect(runs).toBe(2);
});
