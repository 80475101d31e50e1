import { describe, expect, it } from 'vitest';
import { hasFilters } from '../client/search-values.rules.ts';
import { callQuery, filterQuery, readCallSearch, sortedBy } from './call-search.rules.ts';

describe('the filters in the address of the calls table', () => {
  it.each([
    ['an empty address asks for all calls', {}, {}],
    ['known words are kept', { status: 'no-answer', type: 'web' }, { status: 'no-answer', type: 'web' }],
    ['unknown words are dropped', { status: 'lost', type: 'fax' }, {}],
    ['a number typed with spaces stays as typed', { number: '+1 212' }, { number: '+1 212' }],
    ['digits that the router read as a number become text again', { number: 212 }, { number: '212' }],
    ['a blank number is no filter', { number: '  ' }, {}],
    ['an assistant id may arrive as text', { assistant: '7' }, { assistant: 7 }],
    ['an assistant id that is none is dropped', { assistant: 'seven' }, {}],
    ['the first page is never written', { page: 1 }, {}],
    ['another page is kept', { page: '3' }, { page: 3 }],
    ['a negative page is dropped', { page: -2 }, {}],
    ['a known outcome is kept', { outcome: 'our_fault' }, { outcome: 'our_fault' }],
    ['an unknown outcome is dropped', { outcome: 'constructor' }, {}],
    [
      'days and a campaign are kept',
      { from: '2026-01-31', until: '2026-02-01', campaign: 3 },
      { from: '2026-01-31', until: '2026-02-01', campaign: 3 },
    ],
    ['days that do not exist are dropped', { from: '2026-13-01', until: 'today', campaign: 0 }, {}],
    ['the 30th of February is dropped', { from: '2026-02-30', until: '2026-02-28' }, { until: '2026-02-28' }],
    [
      'a column of the order is kept',
      { sort: 'cost', order: 'ascending' },
      { sort: 'cost', order: 'ascending' },
    ],
    ['another order is dropped', { sort: 'name', order: 'random' }, {}],
    ['the order by start is never written', { sort: 'started' }, {}],
    ['objects are not texts', { number: { a: 1 }, assistant: [] }, {}],
  ])('%s', (_sentence, raw, expected) => {
    expect(readCallSearch(raw)).toEqual(expected);
  });

  it('counts everything except the page, the order and the preview as a filter', () => {
    expect(hasFilters({ page: 2, sort: 'cost', order: 'ascending', preview: 7 })).toBe(false);
    expect(hasFilters({ assistant: 1 })).toBe(true);
    expect(hasFilters({ number: '212' })).toBe(true);
    expect(hasFilters({ from: '2026-01-31' })).toBe(true);
  });

  it('becomes the query of the list', () => {
    const search = readCallSearch({
      outcome: 'busy',
      number: '212',
      campaign: 3,
      until: '2026-02-01',
      page: 2,
    });
    expect(callQuery(search)).toEqual({
      outcome: 'busy',
      phone_number: '212',
      campaign_id: 3,
      date_to: '2026-02-01',
      page: 2,
      sort: 'started',
      is_ascending: false,
    });
    expect(filterQuery({ page: 2, sort: 'cost', order: 'ascending', preview: 7, type: 'web' })).toEqual({
      type: 'web',
    });
  });

  it('is sorted by a column: its highest values first, then its lowest, and so on', () => {
    const once = sortedBy({ type: 'web', page: 3 }, 'duration');
    expect(once).toEqual({ type: 'web', sort: 'duration' });
    const twice = sortedBy(once, 'duration');
    expect(twice).toEqual({ type: 'web', sort: 'duration', order: 'ascending' });
    expect(sortedBy(twice, 'duration')).toEqual(once);
    expect(sortedBy(twice, 'started')).toEqual({ type: 'web' });
    expect(sortedBy({}, 'started')).toEqual({ order: 'ascending' });
  });
});
