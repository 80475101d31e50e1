/** Reads the pages of a website with the guarded client, which refuses addresses that are not public. */
import type { Clock } from '@parley/runtime';
import type { GuardedClient } from '@parley/runtime/guarded-http';
import { extractText, type Extract } from './extract-text.ts';

/** The pages of a document. */
export interface Website {
  links: readonly string[];
  /** How many pages that the first one links to are read as well; null: none. */
  relativeLinksLimit: number | null;
  maxCharacters: number;
}

/** What it needs. */
export interface WebsiteMeans {
  client: Pick<GuardedClient, 'send'>;
  clock: Clock;
}

/** What of a page is read. The client of the worker has this limit. */
export const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
/** For all pages of a document together. Afterwards the document fails, because a part of a website would mislead. */
const TIME_LIMIT_MS = 120_000;
const TOO_SLOW = 'Reading its pages takes too long.';
const HEADERS = {
  'user-agent': 'Parley (knowledge base)',
  accept: 'text/html, application/xhtml+xml, text/plain, text/markdown',
};

/** Text of all pages, or the first failure. A page that others link to may be missing. */
export async function readWebsite(means: WebsiteMeans, site: Website): Promise<Extract> {
  const { clock } = means;
  const deadlineMs = clock.monotonic() + TIME_LIMIT_MS;
  const texts: string[] = [];
  const pages = site.links.map((address) => ({ address, isLinked: false }));
  const [main] = pages;
  const named = new Set(site.links.map((address) => URL.parse(address)?.href));
  let characters = 0;
  for (const entry of pages) {
    const { address, isLinked } = entry;
    if (clock.monotonic() > deadlineMs) return { failure: TOO_SLOW };
    const page = await readPage(means, address, site.maxCharacters);
    if ('failure' in page && isLinked) continue;
    if ('failure' in page) return { failure: `${address}: ${page.failure}` };
    texts.push(page.text);
    characters += page.text.length;
    if (characters > site.maxCharacters) break;
    if (entry !== main || site.relativeLinksLimit === null) continue;
    const linked = pagesOfSite(page, site.relativeLinksLimit).filter((found) => !named.has(found));
    pages.push(...linked.map((found) => ({ address: found, isLinked: true })));
  }
  return { text: texts.join('\n\n'), links: [] };
}

interface Page {
  text: string;
  links: string[];
  /** Where it was found, after redirects. */
  address: string;
}

/** Other pages of the same origin, each once. */
function pagesOfSite({ address, links }: Page, limit: number): string[] {
  const own = new URL(address);
  own.hash = '';
  const found = new Set<string>();
  for (const link of links) {
    const url = URL.parse(link, address);
    if (url?.origin !== own.origin) continue;
    url.hash = '';
    if (url.href !== own.href) found.add(url.href);
  }
  return [...found].slice(0, limit);
}

async function readPage(
  { client, clock }: WebsiteMeans,
  first: string,
  maxCharacters: number,
): Promise<Page | { failure: string }> {
  let address = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await client.send({ url: address, method: 'GET', headers: HEADERS });
    if ('error' in answer) return { failure: `${answer.error}.` };
    const target = redirectTarget(answer, address);
    if (target === null) {
      const read = await readAnswer(clock, answer, maxCharacters);
      return 'failure' in read ? read : { ...read, address };
    }
    address = target;
  }
  return { failure: 'It redirects too often.' };
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

function redirectTarget({ status, headers }: Answer, address: string): string | null {
  if (status < 300 || status > 399 || headers['location'] === undefined) return null;
  const url = URL.parse(headers['location'], address);
  return url && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : null;
}

async function readAnswer(
  clock: Clock,
  { status, headers, body }: Answer,
  maxCharacters: number,
): Promise<Extract> {
  if (status < 200 || status > 299) return { failure: `The server answered with the status ${status}.` };
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isHtml = ['', 'text/html', 'application/xhtml+xml'].includes(type);
  if (!isHtml && !['text/plain', 'text/markdown'].includes(type))
    return { failure: `It is not a web page but ${type.slice(0, 100)}. Upload it as a file.` };
  const content = Buffer.from(body, 'utf8');
  if (content.byteLength >= MAX_PAGE_BYTES)
    return { failure: `It is larger than ${MAX_PAGE_BYTES / 1024 ** 2} MiB.` };
  return extractText(clock, { type: isHtml ? 'html' : 'txt', content, maxCharacters });
}
