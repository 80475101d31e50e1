import { expect, test } from 'vitest';
import { z } from 'zod';
import { envelope, pageQuery, paginate } from './envelope.ts';
import { fieldErrors } from './field-wording.ts';

function setup(page: number, total: number, search = '') {
  const rows = Array.from(
    { length: Math.max(0, Math.min(10, total - (page - 1) * 10)) },
    (_, index) => index,
  );
  return paginate({
    rows,
    total,
    page,
    perPage: 10,
    url: new URL(`https://parley.example/api/list${search}`),
  });
}

/** Labels between the arrows, the current page in brackets. */
function labels(page: number, total: number): string {
  const links = setup(page, total).links.slice(1, -1);
  return links.map((link) => (link.active ? `[${link.label}]` : link.label)).join(' ');
}

test.each([
  ['an empty list has one page', 1, 0, '[1]'],
  ['thirteen pages are all listed', 7, 130, '1 2 3 4 5 6 [7] 8 9 10 11 12 13'],
  ['from fourteen on the middle is left out', 1, 140, '[1] 2 3 4 5 6 7 8 9 10 ... 13 14'],
  ['page 7 still counts as the beginning', 7, 300, '1 2 3 4 5 6 [7] 8 9 10 ... 29 30'],
  ['page 8 is the middle', 8, 300, '1 2 ... 5 6 7 [8] 9 10 11 ... 29 30'],
  ['the eighth page from the end is the middle', 23, 300, '1 2 ... 20 21 22 [23] 24 25 26 ... 29 30'],
  ['the seventh page from the end counts as the end', 24, 300, '1 2 ... 21 22 23 [24] 25 26 27 28 29 30'],
  ['the last page', 30, 300, '1 2 ... 21 22 23 24 25 26 27 28 29 [30]'],
  ['a page past the end has no active link', 31, 300, '1 2 ... 21 22 23 24 25 26 27 28 29 30'],
])('%s', (_name, page, total, expected) => {
  expect(labels(page, total)).toBe(expected);
});

test('a page in the middle has its neighbours, its rows and its links', () => {
  const { links, data, ...rest } = setup(2, 25);
  expect(rest).toEqual({
    current_page: 2,
    first_page_url: 'https://parley.example/api/list?page=1',
    from: 11,
    last_page: 3,
    last_page_url: 'https://parley.example/api/list?page=3',
    next_page_url: 'https://parley.example/api/list?page=3',
    path: 'https://parley.example/api/list',
    per_page: 10,
    prev_page_url: 'https://parley.example/api/list?page=1',
    to: 20,
    total: 25,
  });
  expect(data).toHaveLength(10);
  expect(links[0]).toEqual({
    url: 'https://parley.example/api/list?page=1',
    label: '&laquo; Previous',
    active: false,
  });
  expect(links.at(-1)).toEqual({
    url: 'https://parley.example/api/list?page=3',
    label: 'Next &raquo;',
    active: false,
  });
});

test('an empty page has no first and no last row', () => {
  expect(setup(1, 0)).toMatchObject({
    from: null,
    to: null,
    last_page: 1,
    next_page_url: null,
    prev_page_url: null,
  });
  expect(setup(9, 25)).toMatchObject({
    from: null,
    to: null,
    last_page: 3,
    next_page_url: null,
    current_page: 9,
  });
});

test('a gap leads nowhere', () => {
  expect(setup(1, 300).links).toContainEqual({ url: null, label: '...', active: false });
});

test('links keep the rest of the query, with page last', () => {
  expect(setup(1, 25, '?page=1&status=no-answer&assistant_id=&phone_number=%2B49').next_page_url).toBe(
    'https://parley.example/api/list?status=no-answer&assistant_id=&phone_number=%2B49&page=2',
  );
});

test('what paginate makes fits the schema', () => {
  expect(envelope(z.int()).safeParse(setup(3, 500)).error).toBeUndefined();
});

test.each([
  [{}, { page: 1, per_page: 15 }],
  [
    { page: '', per_page: '' },
    { page: 1, per_page: 15 },
  ],
  [
    { page: '3', per_page: '100' },
    { page: 3, per_page: 100 },
  ],
])('the query %j means %j', (query, expected) => {
  expect(z.object(pageQuery(15)).parse(query)).toEqual(expected);
});

test.each([
  [{ page: '0' }, { page: ['The page must be at least 1.'] }],
  [{ per_page: '0' }, { per_page: ['The per page must be between 1 and 100.'] }],
  [{ per_page: '101' }, { per_page: ['The per page must be between 1 and 100.'] }],
  [{ page: 'two' }, { page: ['The page must be an integer.'] }],
])('the query %j is refused', (query, errors) => {
  expect(fieldErrors(z.object(pageQuery(15)).safeParse(query).error?.issues ?? [])).toEqual(errors);
});
