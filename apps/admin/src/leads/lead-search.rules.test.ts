import { expect, it } from 'vitest';
import { hasFilters } from '../client/search-values.rules.ts';
import { leadQuery, readLeadSearch } from './lead-search.rules.ts';

it('reads the filters of a URL and drops invalid ones', () => {
  const search = { campaign: 3, state: 'blocked', outcome: 'busy', number: '0151', row: 2 };
  expect(readLeadSearch({ ...search, other: 1 })).toEqual(search);
  expect(readLeadSearch({ campaign: 'x', state: 'done', outcome: 'fine', number: ' ', row: 0 })).toEqual({});
});

it('queries what is filtered', () => {
  expect(leadQuery({ row: 7 })).toEqual({});
  expect(leadQuery({ campaign: 3, state: 'waiting', number: '49', row: 2 })).toEqual({
    campaign_id: 3,
    state: 'waiting',
    phone_number: '49',
  });
  expect([hasFilters({ row: 2 }), hasFilters({ state: 'waiting' })]).toEqual([false, true]);
});
