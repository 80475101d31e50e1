import { expect, it } from 'vitest';
import { countSelected, isSelected, piecesOf, withLeads } from './lead-selection.rules.ts';

it('counts single leads, or all of the filter', () => {
  expect([countSelected(new Set([1, 2]), 9), countSelected('all', 9)]).toEqual([2, 9]);
});

it('adds and removes leads, and begins anew after all', () => {
  expect([...withLeads(new Set([1]), [2, 3], true)]).toEqual([1, 2, 3]);
  expect([...withLeads(new Set([1, 2]), [2], false)]).toEqual([1]);
  expect([...withLeads('all', [4], true)]).toEqual([4]);
  expect([isSelected('all', 1), isSelected(new Set([1]), 1), isSelected(new Set([1]), 2)]).toEqual([
    true,
    true,
    false,
  ]);
});

it('splits the leads for requests of a hundred', () => {
  const ids = new Set(Array.from({ length: 205 }, (_, place) => place));
  expect(piecesOf(ids).map(({ length }) => length)).toEqual([100, 100, 5]);
  expect(piecesOf(new Set())).toEqual([]);
});
