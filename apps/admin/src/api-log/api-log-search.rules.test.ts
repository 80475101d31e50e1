import { expect, it } from 'vitest';
import { hasFilters } from '../client/search-values.rules.ts';
import { apiLogQuery, pathOf, readApiLogSearch } from './api-log-search.rules.ts';

it('reads the filters of a URL and drops invalid ones', () => {
  const search = {
    status: '4xx',
    method: 'POST',
    operation: 'leads',
    token: 3,
    request: '0e9f',
    from: '2026-01-01',
    until: '2026-01-31',
    before: 12,
  };
  expect(readApiLogSearch(search)).toEqual(search);
  expect(readApiLogSearch({ status: '404', method: 'BREW', token: 'x', from: 'today', before: 0 })).toEqual(
    {},
  );
  expect(readApiLogSearch({ operation: 'x'.repeat(100) }).operation).toHaveLength(64);
  expect([hasFilters({ before: 2 }), hasFilters({ status: '4xx' })]).toEqual([false, true]);
});

it('queries whole days of the browser', () => {
  expect(apiLogQuery({ status: '5xx', token: 3, from: '2026-02-28', until: '2026-02-28' })).toEqual({
    status: '5xx',
    token_id: 3,
    from: new Date(2026, 1, 28).toISOString(),
    to: new Date(2026, 2, 1).toISOString(),
  });
});

it('a path has the id of the record, where it is known', () => {
  expect(pathOf({ path: '/api/user/calls/:id/recording', object_id: 7 })).toBe('/api/user/calls/7/recording');
  expect(pathOf({ path: '/api/user/calls/:id', object_id: null })).toBe('/api/user/calls/:id');
});
