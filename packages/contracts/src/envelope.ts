/**
 * The pagination envelope of the assistants and calls lists: its schema and the arithmetic of its links.
 * See docs/api.md, "Pagination envelope".
 */
import { z } from 'zod';
import { integer, optionalQuery } from './fields.ts';

const link = z
  .strictObject({ url: z.string().nullable(), label: z.string(), active: z.boolean() })
  .meta({ id: 'PageLink' });

/** One entry of the envelope's `links`. */
export type PageLink = z.output<typeof link>;

/** Schema of a page of `record`s. */
export function envelope<Record extends z.ZodType>(record: Record) {
  return z.strictObject({
    current_page: z.int(),
    data: z.array(record),
    first_page_url: z.string(),
    from: z.int().nullable(),
    last_page: z.int(),
    last_page_url: z.string(),
    links: z.array(link),
    next_page_url: z.string().nullable(),
    path: z.string(),
    per_page: z.int(),
    prev_page_url: z.string().nullable(),
    to: z.int().nullable(),
    total: z.int(),
  });
}

/** A page of records as it is sent. */
export interface Envelope<Record> {
  current_page: number;
  data: Record[];
  first_page_url: string;
  from: number | null;
  last_page: number;
  last_page_url: string;
  links: PageLink[];
  next_page_url: string | null;
  path: string;
  per_page: number;
  prev_page_url: string | null;
  to: number | null;
  total: number;
}

/** The query fields of every paginated list. */
export function pageQuery(defaultPerPage: number) {
  return {
    page: optionalQuery(integer({ minimum: 1 })).transform((page) => page ?? 1),
    per_page: optionalQuery(integer({ minimum: 1, maximum: 100 })).transform(
      (count) => count ?? defaultPerPage,
    ),
  };
}

/** The input of {@link paginate}. */
export interface Page<Record> {
  rows: readonly Record[];
  /** The number of records on all pages. */
  total: number;
  /** From 1; may be past the end. */
  page: number;
  perPage: number;
  /** The list's absolute address. The links keep its query, except `page`. */
  url: URL;
}

/** Wraps one page of records. */
export function paginate<Record>({ rows, total, page, perPage, url }: Page<Record>): Envelope<Record> {
  const last = Math.max(1, Math.ceil(total / perPage));
  const urlOf = pageUrls(url);
  const first = (page - 1) * perPage + 1;
  const previousUrl = page > 1 ? urlOf(page - 1) : null;
  const nextUrl = page < last ? urlOf(page + 1) : null;
  return {
    current_page: page,
    data: [...rows],
    first_page_url: urlOf(1),
    from: rows.length === 0 ? null : first,
    last_page: last,
    last_page_url: urlOf(last),
    links: [
      { url: previousUrl, label: '&laquo; Previous', active: false },
      ...pageNumbers(page, last).map((number) => numberLink(number, page, urlOf)),
      { url: nextUrl, label: 'Next &raquo;', active: false },
    ],
    next_page_url: nextUrl,
    path: `${url.origin}${url.pathname}`,
    per_page: perPage,
    prev_page_url: previousUrl,
    to: rows.length === 0 ? null : first + rows.length - 1,
    total,
  };
}

/** A URL object for each of up to 16 links would cost a tenth of a request to the calls list. */
function pageUrls(url: URL): (page: number) => string {
  const query = new URLSearchParams(url.search);
  query.delete('page');
  const kept = query.toString();
  const start = `${url.origin}${url.pathname}?${kept}${kept === '' ? '' : '&'}page=`;
  return (page) => `${start}${page}`;
}

function numberLink(number: number | null, current: number, urlOf: (page: number) => string): PageLink {
  if (number === null) return { url: null, label: '...', active: false };
  return { url: urlOf(number), label: String(number), active: number === current };
}

/** From this number of pages on, the middle ones are omitted. */
const ABRIDGED_FROM = 14;
/** If the current page is this close to an end, that end is shown in full. */
const NEAR_END = 7;
/** How many pages an end shown in full has. */
const END_LENGTH = 10;
/** How many neighbours the current page has on each side, in the middle. */
const NEIGHBOURS = 3;

/** The page numbers that get a link; null is a gap. */
function pageNumbers(current: number, last: number): (number | null)[] {
  if (last < ABRIDGED_FROM) return range(1, last);
  if (current <= NEAR_END) return [...range(1, END_LENGTH), null, last - 1, last];
  if (current > last - NEAR_END) return [1, 2, null, ...range(last - END_LENGTH + 1, last)];
  return [1, 2, null, ...range(current - NEIGHBOURS, current + NEIGHBOURS), null, last - 1, last];
}

function range(from: number, to: number): number[] {
  const numbers: number[] = [];
  for (let number = from; number <= to; number++) numbers.push(number);
  return numbers;
}
