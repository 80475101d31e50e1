import { expect, it } from 'vitest';
import { clearedFilters, hasFilters } from './search-values.rules.ts';

it('clears the filters of a list, and keeps its order and what is open beside it', () => {
  const search = { outcome: 'talked', number: '212', sort: 'cost', order: 'ascending', preview: 7 };
  expect(clearedFilters(search)).toEqual({ outcome: undefined, number: undefined });
  expect(hasFilters(search)).toBe(true);
});

it('takes the place in a list for no filter', () => {
  expect(hasFilters({ page: 2, row: 3, before: 4, sort: 'cost', order: 'ascending', preview: 7 })).toBe(
    false,
  );
});
