import { expect, it } from 'vitest';
import { hasFilters } from '../client/search-values.rules.ts';
import { deliveryQuery, readDeliverySearch } from './delivery-search.rules.ts';

it('reads the filters of a URL and drops invalid ones', () => {
  const search = {
    status: 'failed',
    event: 'call.incoming',
    from: '2026-01-01',
    until: '2026-01-31',
    page: 3,
  };
  expect(readDeliverySearch(search)).toEqual(search);
  expect(readDeliverySearch({ status: 'late', event: 'x', from: 'today', page: 1 })).toEqual({});
  expect([hasFilters({ page: 2 }), hasFilters({ status: 'failed' })]).toEqual([false, true]);
});

it('queries what is filtered', () => {
  expect(deliveryQuery({ status: 'failed', from: '2026-01-01', page: 2 })).toEqual({
    status: 'failed',
    date_from: '2026-01-01',
    page: 2,
  });
});
