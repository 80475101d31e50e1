import { expect, test } from 'vitest';
import { DeferredDeletions } from './deferred-deletions.ts';

function setup() {
  const due = new Set<() => void>();
  const failures: unknown[] = [];
  const done: string[] = [];
  const deletions = new DeferredDeletions(
    (run) => {
      due.add(run);
      return () => due.delete(run);
    },
    (error) => failures.push(error),
  );
  const add = (key: string, run = () => Promise.resolve(done.push(key))) =>
    deletions.add({ key, text: `${key} is deleted.`, run });
  const keys = () => deletions.waiting().map(({ key }) => key);
  const pass = () => {
    for (const run of due) run();
    due.clear();
  };
  /** Resolves at the next change. */
  const changed = () => new Promise<void>((resolve) => void deletions.subscribe(resolve));
  return { deletions, add, keys, pass, changed, done, failures };
}

test('a deletion is carried out when its time has passed, and waits until then', async () => {
  const { add, keys, pass, changed, done } = setup();
  add('a');
  add('a');
  add('b');
  expect([keys(), done]).toEqual([['a', 'b'], []]);
  const settled = changed();
  pass();
  await settled;
  await Promise.resolve();
  expect(done).toEqual(['a', 'b']);
  await expect.poll(keys).toEqual([]);
});

test('a deletion that was undone is never carried out', () => {
  const { deletions, add, keys, pass, done } = setup();
  add('a');
  add('b');
  deletions.undo('a');
  expect(keys()).toEqual(['b']);
  pass();
  expect(done).toEqual(['b']);
});

test('leaving the page deletes nothing', () => {
  const { deletions, add, keys, pass, done } = setup();
  add('a');
  add('b');
  deletions.clear();
  pass();
  expect([keys(), done]).toEqual([[], []]);
});

test('a failure is reported, and the thing is shown again', async () => {
  const { add, keys, pass, failures } = setup();
  add('a', () => Promise.reject(new Error('No.')));
  pass();
  await expect.poll(keys).toEqual([]);
  expect(failures).toEqual([new Error('No.')]);
});
