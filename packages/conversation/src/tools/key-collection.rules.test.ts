import { expect, it } from 'vitest';
import { collectionAnswer, gatherKey, isOverdue, type KeyCollection } from './key-collection.rules.ts';

const FOUR_OR_HASH: KeyCollection = { maxKeys: 4, terminator: '#', timeoutMs: 5000, variable: null };

it.each([
  ['is kept', FOUR_OR_HASH, '12', '3', '123', null],
  ['is the last one', FOUR_OR_HASH, '123', '4', '1234', 'complete'],
  ['ends it without being kept', FOUR_OR_HASH, '12', '#', '12', 'terminated'],
  ['that ends nothing is kept', { ...FOUR_OR_HASH, terminator: null }, '12', '#', '12#', null],
  ['of another name is kept', FOUR_OR_HASH, '', '*', '*', null],
] as const)('a key %s', (_what, collection, before, digit, keys, end) => {
  const taken = gatherKey(collection, { keys: before, quietSinceMs: 0 }, { digit, nowMs: 700 });
  expect(taken.gathered.keys).toBe(keys);
  expect(taken.end).toBe(end);
});

it('the time begins again with every key', () => {
  const { gathered } = gatherKey(FOUR_OR_HASH, { keys: '', quietSinceMs: 0 }, { digit: '1', nowMs: 4000 });
  expect(isOverdue(FOUR_OR_HASH, gathered, 8999)).toBe(false);
  expect(isOverdue(FOUR_OR_HASH, gathered, 9000)).toBe(true);
});

it.each([
  ['1234', 'complete', true, 'The caller pressed 1234.'],
  ['12', 'timed-out', true, 'The caller pressed 12, and then nothing more.'],
  ['', 'timed-out', false, 'The caller pressed no key.'],
  ['', 'terminated', false, 'The caller pressed no key.'],
  ['12', 'interrupted', false, 'The caller did not finish. Pressed so far: 12.'],
  ['', 'interrupted', false, 'The caller did not finish. Pressed so far: no key.'],
] as const)('of "%s", %s, the model receives the result', (keys, end, isOk, text) => {
  expect(collectionAnswer(keys, end)).toEqual({ isOk, text });
});
