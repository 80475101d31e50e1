import { describe, expect, it } from 'vitest';
import { hasFilters, readCallSearch } from './call-search.rules.ts';

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
    ['objects are not texts', { number: { a: 1 }, assistant: [] }, {}],
  ])('%s', (_sentence, raw, expected) => {
    expect(readCallSearch(raw)).toEqual(expected);
  });

  it('counts everything except the page as a filter', () => {
    expect(hasFilters({ page: 2 })).toBe(false);
    expect(hasFilters({ assistant: 1 })).toBe(true);
    expect(hasFilters({ number: '212' })).toBe(true);
  });
});
