/** Takes the pictures: one window for each width, colour scheme and user. */
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { shotName, WIDTHS, type Shot } from './shot-plan.ts';
import { showState, type Place } from './show-state.ts';

/** The cookies of a session; absent for nobody. */
export type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface ShotRun {
  browser: Browser;
  place: Place;
  session: Session;
  folder: string;
  /** Size of the window, and of a CSS pixel in pixels of the picture. Default: that of the width of the picture. */
  window?: { width: number; height: number; scale: number };
  signal: AbortSignal;
  /** Called after each picture, with what is wrong with it or null. */
  onShot: (shot: Shot, fault: string | null) => void;
}

/** A page may load more once it is in sight. */
const MAX_GROWTHS = 3;

/** Takes the pictures in their order. A picture that fails does not end the run. */
export async function takeShots(run: ShotRun, shots: readonly Shot[]): Promise<void> {
  for (const group of groupByWindow(shots)) {
    const context = await openWindow(run, group);
    const page = await context.newPage();
    for (const shot of group) {
      if (run.signal.aborted) break;
      run.onShot(shot, await takeShot(run, page, shot).catch(String));
    }
    await context.close();
  }
}

function groupByWindow(shots: readonly Shot[]): Shot[][] {
  const keyOf = ({ page, width, scheme }: Shot): string => `${width} ${scheme} ${isSignedOut(page.name)}`;
  return [...Map.groupBy(shots, keyOf).values()];
}

function isSignedOut(page: string): boolean {
  return page === 'sign-in';
}

function openWindow(run: ShotRun, [first]: readonly Shot[]): Promise<BrowserContext> {
  if (!first) throw new Error('A window without pictures.');
  const { width, height } = run.window ?? WIDTHS[first.width];
  return run.browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: run.window?.scale ?? 1,
    colorScheme: first.scheme,
    reducedMotion: 'reduce',
    ...(isSignedOut(first.page.name) ? {} : { storageState: run.session }),
  });
}

/** What covers the page, a dialog or a menu, is shown as the window shows it. */
function isWholePage({ state }: Shot): boolean {
  return state !== 'errors' && state !== 'menu' && state !== 'dialog';
}

/** Makes the window as high as the dialog in it, which scrolls otherwise. */
async function growToDialog(page: Page, { width }: Shot): Promise<void> {
  const height = await page.evaluate<number>(
    "Math.max(0, ...[...document.querySelectorAll('dialog[open], [role=dialog]')].map((dialog) => dialog.scrollHeight)) + 120",
  );
  if (height > WIDTHS[width].height) await page.setViewportSize({ width: WIDTHS[width].width, height });
}

/** Makes the window as high as the page, so that what sticks to its edges does not cover the middle of the picture. */
async function growWindow(page: Page, { width }: Shot): Promise<void> {
  let drawn: number = WIDTHS[width].height;
  for (let round = 0; round < MAX_GROWTHS; round += 1) {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    if (height <= drawn) return;
    await page.setViewportSize({ width: WIDTHS[width].width, height });
    await page.waitForLoadState('networkidle');
    drawn = height;
  }
}

/** Waits for the data of the page: until then it shows placeholders. @returns false after 15 s */
async function hasItsData(page: Page): Promise<boolean> {
  const placeholders = page.locator('.mantine-Skeleton-root[data-visible]:visible').first();
  return placeholders.waitFor({ state: 'detached', timeout: 15_000 }).then(
    () => true,
    () => false,
  );
}

/** @returns what is wrong with the page as it is drawn, or null */
async function takeShot(run: ShotRun, page: Page, shot: Shot): Promise<string | null> {
  await showState(page, run.place, shot);
  const isLoaded = await hasItsData(page);
  const path = join(run.folder, shotName(shot));
  if (run.window === undefined && isWholePage(shot)) await growWindow(page, shot);
  if (shot.state === 'dialog') await growToDialog(page, shot);
  await page.screenshot({ path, animations: 'disabled' });
  const excess = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  await page.setViewportSize(run.window ?? WIDTHS[shot.width]);
  if (!isLoaded) return 'the page still shows placeholders after 15 s';
  return excess > 0 ? `the page is ${excess} px wider than the window` : null;
}
