/** What the browser measures in a page of the admin app, or in an empty one: paint, movement, files, frames. */
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page, Response } from 'playwright-core';

/** Runs before the page's own scripts. */
const OBSERVE = `
  window.probe = { paintMs: 0, shift: 0 };
  window.painted = new Promise((resolve) => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.probe.paintMs = entry.startTime;
      resolve();
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.probe.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** One load of a page. */
export interface Load {
  /** The time of the largest contentful paint, since the navigation began. */
  paintMs: number;
  /** Cumulative layout shift, as a sum of all shifts. */
  shift: number;
  scriptBytes: number;
  fontBytes: number;
}

/** Loads a page as a first visitor does, without a cache. @param context - is not closed */
export async function measureLoad(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage();
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  await page.addInitScript(OBSERVE);
  // Looking for the heading meanwhile would take processor time from the page.
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Not by `waitForFunction`, which evaluates a string in the page and is refused by its content security policy.
  const { paintMs, shift } = await page.evaluate<{ paintMs: number; shift: number }>(
    'window.painted.then(() => window.probe)',
  );
  const bytesOf = async (ending: string, size: (file: Buffer) => number): Promise<number> => {
    const files = responses.filter((response) => new URL(response.url()).pathname.endsWith(ending));
    const bodies = await Promise.all(files.map((response) => response.body()));
    return bodies.reduce((sum, file) => sum + size(file), 0);
  };
  const load = {
    paintMs,
    shift,
    scriptBytes: await bytesOf('.js', (file) => gzipSync(file).length),
    fontBytes: await bytesOf('.woff2', (file) => file.length),
  };
  await page.close();
  return load;
}

/** Begins to note the longest time between two frames. */
export async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(`{
    window.longestFrameMs = 0;
    let before = performance.now();
    const frame = (now) => {
      window.longestFrameMs = Math.max(window.longestFrameMs, now - before);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }`);
}

/** The longest time between two frames so far, milliseconds. */
export async function longestFrame(page: Page): Promise<number> {
  return page.evaluate<number>('window.longestFrameMs');
}

/** When the first new row of the list of calls appeared: milliseconds since 1970, by the clock of this machine. */
export async function nextCallRow(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`{
    const ids = () => [...document.querySelectorAll('[data-call-id]')].map((row) => row.dataset.callId);
    const known = new Set(ids());
    window.rowAt = new Promise((resolve) => {
      new MutationObserver(() => {
        if (ids().some((id) => !known.has(id))) resolve(Date.now());
      }).observe(document.body, { childList: true, subtree: true });
    });
    // The value of this script: a promise would be awaited.
    0;
  }`);
  return () => page.evaluate<number>('window.rowAt');
}
