import { expect, it } from 'vitest';
import { hasFilters } from '../client/search-values.rules.ts';
import { conversationQuery, readConversationSearch } from './conversation-search.rules.ts';

it('reads the filters of a URL and drops invalid ones', () => {
  const search = { assistant: 3, state: 'ended', from: '2026-01-01', until: '2026-01-31', page: 3 };
  expect(readConversationSearch(search)).toEqual(search);
  expect(readConversationSearch({ assistant: 'x', state: 'late', from: 'today', page: 1 })).toEqual({});
  expect([hasFilters({ page: 2 }), hasFilters({ assistant: 3 })]).toEqual([false, true]);
});

it('queries what is filtered', () => {
  expect(conversationQuery({ assistant: 3, state: 'open', from: '2026-01-01', page: 2 })).toEqual({
    assistant_id: 3,
    status: 'open',
    date_from: '2026-01-01',
    page: 2,
  });
});
