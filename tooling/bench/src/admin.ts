/**
 * `npm run bench:admin`: goal P21 of docs/goals.md. Starts an installation and Chromium; loads the overview as a first visitor,
 * in alternation with an empty page; sums up what is loaded; visits every list for its movement; scrolls a list of 10,000
 * leads from its first to its last row; and waits for the row of a call that is placed while the list of calls is open. `-- --full` loads more often
 * and exits with 1 when a part of the goal is missed.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createAssistant, placeCall, startInstallation, waitForCall, type Installation } from '@parley/e2e';
import { ADMIN_PAGES, launchBrowser, signInAsOperator } from '@parley/e2e/admin';
import { systemClock } from '@parley/runtime';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { longestFrame, measureLoad, nextCallRow, watchFrames, type Load } from './admin-browser-probes.ts';
import { missedGoals, type AdminFigures } from './admin-goals.rules.ts';
import { spreadOf } from './spread.rules.ts';

const isFull = process.argv.includes('--full');
const ROUNDS = isFull ? 15 : 5;
const ROWS = 10_000;
/** Turns of the wheel: `--full` goes through all rows. */
const WHEEL_STEPS = isFull ? 1_750 : 300;
const CALLS = isFull ? 20 : 5;
const WHEEL_PIXELS = 300;
const BUSY_PHONE = '+12025550160';
const EMPTY_PAGE = '<!doctype html><html lang="en"><title>Empty</title><h1>Empty</h1></html>';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
type State = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signIn(browser: Browser, installation: Installation): Promise<State> {
  const context = await browser.newContext();
  await signInAsOperator(await context.newPage(), installation);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** A new context each time: nothing is cached. */
async function loadOnce(browser: Browser, url: string, storageState?: State): Promise<Load> {
  const context = await browser.newContext(storageState ? { storageState } : {});
  const load = await measureLoad(context, url);
  await context.close();
  return load;
}

/** Loads both pages in alternation. */
async function measureLoads(
  browser: Browser,
  { adminUrl, emptyUrl, state }: { adminUrl: string; emptyUrl: string; state: State },
): Promise<{ admin: Load[]; empty: Load[] }> {
  const loads = { admin: [] as Load[], empty: [] as Load[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    loads.empty.push(await loadOnce(browser, emptyUrl));
    loads.admin.push(await loadOnce(browser, adminUrl, state));
  }
  return loads;
}

/** The page that moves most, of those without a row of their own. */
async function measureShift(browser: Browser, baseUrl: string, state: State): Promise<AdminFigures['shift']> {
  let worst = { page: '', score: -1 };
  const context = await browser.newContext({ storageState: state });
  for (const { name, path } of ADMIN_PAGES.filter((page) => !page.path.includes(':'))) {
    const { shift } = await measureLoad(context, `${baseUrl}/admin/${path}`);
    if (shift > worst.score) worst = { page: name, score: shift };
  }
  await context.close();
  return worst;
}

/** @returns the id of a campaign with {@link ROWS} leads */
async function importRows(installation: Installation, assistantId: number): Promise<number> {
  const campaign = { name: 'Many', assistant_id: assistantId };
  const { baseUrl, token } = installation;
  const made = (await installation.request('POST', '/api/user/campaigns', campaign)) as {
    data: { id: number };
  };
  const rows = Array.from(
    { length: ROWS },
    (_, row) => `+1202555${String(row).padStart(4, '0')},Person ${row}`,
  );
  const answer = await fetch(
    `${baseUrl}/api/user/campaigns/${made.data.id}/leads/import?allow_duplicate=true`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: ['phone,name', ...rows].join('\n'),
    },
  );
  if (!answer.ok) throw new Error(`The import answered ${answer.status}.`);
  return made.data.id;
}

/** Scrolls the list with the wheel, then by its keys to the last row and back. */
async function measureFrames(page: Page, url: string): Promise<number> {
  await page.goto(url);
  const rows = page.getByTestId('lead-row');
  await rows.first().hover();
  await watchFrames(page);
  for (let step = 0; step < WHEEL_STEPS; step += 1) await page.mouse.wheel(0, WHEEL_PIXELS);
  await rows.last().getByRole('link').focus();
  for (const [key, row] of [
    ['End', ROWS],
    ['Home', 1],
  ] as const) {
    await page.keyboard.press(key);
    // The heads are the first row.
    await page.locator(`[data-testid=lead-row][aria-rowindex="${row + 1}"]`).waitFor();
  }
  return longestFrame(page);
}

/** @returns the slowest of some calls */
async function measureLiveCall(page: Page, installation: Installation, assistantId: number): Promise<number> {
  await page.goto(`${installation.baseUrl}/admin/calls`);
  await page.locator('[data-testid=live-indicator][data-status=live]').waitFor();
  await page.waitForLoadState('networkidle');
  let slowestMs = 0;
  for (let call = 0; call < CALLS; call += 1) {
    const row = await nextCallRow(page);
    const placedAt = systemClock.now();
    const id = await placeCall(installation, { assistantId, phoneNumber: BUSY_PHONE });
    slowestMs = Math.max(slowestMs, (await row()) - placedAt);
    await waitForCall(installation, id, ({ ended_reason: reason }) => reason !== null);
  }
  return slowestMs;
}

async function measure(): Promise<AdminFigures> {
  await using started = new AsyncDisposableStack();
  const installation = started.adopt(await startInstallation(), (one) => one.stop());
  const browser = started.adopt(await launchBrowser(), (one) => one.close());
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(EMPTY_PAGE),
  );
  started.defer(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const emptyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { baseUrl } = installation;
  const state = await signIn(browser, installation);
  say('Loading the overview and an empty page.');
  const { admin, empty } = await measureLoads(browser, {
    adminUrl: `${baseUrl}/admin/overview`,
    emptyUrl,
    state,
  });
  say('Visiting every page.');
  const shift = await measureShift(browser, baseUrl, state);
  const assistantId = await createAssistant(installation, {
    webhookUrl: `${baseUrl}/nowhere`,
    maxSilenceSeconds: 60,
  });
  say('Scrolling leads.');
  const campaign = await importRows(installation, assistantId);
  const page = await (await browser.newContext({ storageState: state })).newPage();
  const longestFrameMs = await measureFrames(page, `${baseUrl}/admin/leads?campaign=${campaign}`);
  say('Placing calls.');
  const callVisibleMs = await measureLiveCall(page, installation, assistantId);
  return {
    paintMs: spreadOf(admin.map(({ paintMs }) => paintMs)).median,
    emptyPaintMs: spreadOf(empty.map(({ paintMs }) => paintMs)).median,
    shift,
    scriptBytes: Math.max(...admin.map(({ scriptBytes }) => scriptBytes)),
    fontBytes: Math.max(...admin.map(({ fontBytes }) => fontBytes)),
    longestFrameMs,
    callVisibleMs,
  };
}

function print(figures: AdminFigures): void {
  const line = (name: string, value: string): void => say(`${name.padEnd(56)}${value}`);
  line('largest contentful paint of the overview', `${figures.paintMs.toFixed(0)} ms`);
  line('largest contentful paint of an empty page', `${figures.emptyPaintMs.toFixed(0)} ms`);
  line(`most layout shift (${figures.shift.page})`, figures.shift.score.toFixed(4));
  line('script of the first page, gzip', `${(figures.scriptBytes / 1000).toFixed(1)} kB`);
  line('typefaces of the first page', `${(figures.fontBytes / 1000).toFixed(1)} kB`);
  line(`longest frame, a list of ${ROWS} leads`, `${figures.longestFrameMs.toFixed(0)} ms`);
  line(`a placed call is in the list (slowest of ${CALLS})`, `${figures.callVisibleMs.toFixed(0)} ms`);
  for (const missed of missedGoals(figures)) say(`MISSED: ${missed}`);
}

const figures = await measure();
print(figures);
if (isFull && missedGoals(figures).length > 0) process.exitCode = 1;
