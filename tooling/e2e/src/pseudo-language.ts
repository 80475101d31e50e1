/**
 * The admin app in a pseudo-language (`apps/admin/pseudo-language.config.ts`), instead of the one that the installation serves.
 * A text on a page must be marked as one of the modules of texts, or be data: a value that the server sent, a time, a number.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';

const ADMIN = fileURLToPath(new URL('../../../apps/admin', import.meta.url));

/** @param folder - an empty one, which receives the build */
export async function buildPseudoLanguage(folder: string): Promise<void> {
  const vite = join(ADMIN, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = ['--config', 'pseudo-language.config.ts', '--outDir', folder, '--logLevel', 'error'];
  const build = spawn(process.execPath, [vite, 'build', ...options], {
    cwd: ADMIN,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [complained, [exitCode]] = await Promise.all([text(build.stderr), once(build, 'close')]);
  if (exitCode !== 0) throw new Error(`The pseudo-language could not be built:\n${complained}`);
}

/** Replaces the files of the app in all pages of a browser context; requests for data go to the installation. */
export async function servePseudoLanguage(context: BrowserContext, folder: string): Promise<void> {
  await context.route(/\/admin(\/|$)/, async (route) => {
    const file = join(folder, new URL(route.request().url()).pathname.replace(/^\/admin\/?/, ''));
    const isFile = /\.\w+$/.test(file) && existsSync(file);
    await route.fulfill({ path: isFile ? file : join(folder, 'index.html') });
  });
}

/** The strings that the server has sent to a page, from now on. */
export function watchData(page: Page): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.add(value.trim());
    else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) if (/[^a-z_]/i.test(name)) found.add(name);
      Object.values(value).forEach(collect);
    }
  };
  page.on('response', async (response) => {
    if (new URL(response.url()).pathname.startsWith('/trpc/'))
      collect(await response.json().catch(() => null));
  });
  return found;
}

/** Text that is on the page or read by a screen reader, with the attributes that users read. */
const READ_TEXTS = `(() => {
  const found = [document.title];
  const skipped = 'script, style, noscript, textarea, code, pre, kbd';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest(skipped)) found.push(node.data);
  }
  for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder', 'title'])
    for (const element of document.querySelectorAll('[' + name + ']:not([aria-hidden=true])'))
      found.push(element.getAttribute(name));
  return found;
})()`;

/** Names that the browser knows: time zones, regions, currencies, months, days. */
function localeNames(): string[] {
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, month + 1)));
  const styles = ['long', 'short'] as const;
  const names = styles.flatMap((style) =>
    days.flatMap((day) => [
      day.toLocaleString('en', { month: style }),
      day.toLocaleString('en', { weekday: style }),
    ]),
  );
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));
  const regions = new Intl.DisplayNames('en', { type: 'region' });
  const countries = letters.flatMap((one) => letters.map((other) => regions.of(one + other) ?? ''));
  const codes = Intl.supportedValuesOf('currency');
  const currencies = new Intl.DisplayNames('en', { type: 'currency' });
  const money = [...codes, ...codes.map((code) => currencies.of(code) ?? '')];
  const zones = Intl.supportedValuesOf('timeZone');
  return [...names, ...countries, ...money, ...zones, 'Sept', 'UTC', 'GMT', 'AM', 'PM'];
}

const LOCALE_NAMES = localeNames();
/** A single letter is a unit or part of a number: "5 s", "a". */
const WORD = /\p{L}{2,}/u;
/** A colour as CSS writes it, the same in every language. */
const COLOR = /#[\da-f]{6}\b/gi;
/** How long ago an instant was, as the browser writes it. */
const RELATIVE_TIME = /\b(?:in )?\d+ (?:minute|hour|day)s?(?: ago)?\b|^now$/g;
/** The path of a request, in which the API log shows the id of a record. */
const API_PATH = /\/api\/[\w/:-]+/g;
/** Methods of HTTP requests, which the API log shows. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** What the name of the product and its protocols are in every language. */
const NAMES = ['Parley', 'Ctrl', 'Prometheus', 'SIP', 'ms', 'kB', 'MB', 'min', ...METHODS];

/** The browser writes some countries otherwise than Node does. */
const BROWSER_COUNTRIES = `(() => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((one) => letters.map((other) => names.of(one + other)));
})()`;

/** What is left of a text without what is marked, innermost first, and without data. */
function foreignPart(shown: string, known: readonly string[]): string {
  let rest = shown.replaceAll(COLOR, ' ').replaceAll(API_PATH, ' ').replaceAll(RELATIVE_TIME, ' ');
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ');
  }
  for (const value of known) {
    if (!WORD.test(rest)) return '';
    rest = rest.replaceAll(value, ' ');
  }
  return WORD.test(rest) ? shown.trim() : '';
}

/** The texts of the page that are neither marked nor data. */
export async function foreignTexts(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const shown = await page.evaluate<string[]>(READ_TEXTS);
  const countries = await page.evaluate<string[]>(BROWSER_COUNTRIES);
  const known = [...new Set([...data, ...LOCALE_NAMES, ...countries, ...NAMES])]
    .filter((value) => WORD.test(value))
    .toSorted((one, other) => other.length - one.length);
  return [...new Set(shown.map((one) => foreignPart(one, known)).filter((one) => one !== ''))];
}
