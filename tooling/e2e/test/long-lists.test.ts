/** The list of leads in a real browser: thousands of rows, of which only those around the visible ones are drawn. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { createAssistant } from '../src/assistants.ts';
import { sharedInstallation } from '../src/shared-installation.ts';

const ROWS = 2_000;
const MOST_DRAWN = 60;
let browser: Browser;
let page: Page;
let url: string;

beforeAll(async () => {
  if (isBrowserMissing) return;
  browser = await launchBrowser();
  const installation = sharedInstallation();
  const { baseUrl, token } = installation;
  const assistant = await createAssistant(installation, { webhookUrl: `${baseUrl}/nowhere` });
  const campaign = { name: 'Long list', assistant_id: assistant };
  const made = (await installation.request('POST', '/api/user/campaigns', campaign)) as {
    data: { id: number };
  };
  const rows = Array.from({ length: ROWS }, (_, row) => `+1202555${1_000 + row},Person ${row + 1}`);
  const answer = await fetch(
    `${baseUrl}/api/user/campaigns/${made.data.id}/leads/import?allow_duplicate=true`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: ['phone,name', ...rows].join('\n'),
    },
  );
  expect(answer.ok).toBe(true);
  url = `${baseUrl}/admin/leads?campaign=${made.data.id}`;
});

afterAll(() => browser?.close());

beforeEach(async () => {
  if (isBrowserMissing) return;
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signInAsOperator(page, sharedInstallation());
  await page.goto(url);
  await row(1).waitFor();
});

afterEach(() => page?.context().close());

/** @param number - from 1; the heads of the columns are the first row for screen readers */
const row = (number: number) => page.locator(`[data-testid=lead-row][aria-rowindex="${number + 1}"]`);
const scroller = () => page.locator('[data-table]');
const focusedRow = () =>
  page.evaluate<number>(`Number(document.activeElement.closest('tr')?.getAttribute('aria-rowindex')) - 1`);
/** Names of the drawn rows, from the top: the newest lead is the first one. */
const drawnNames = () =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-testid=lead-row]')].map((row) => /Person \\d+/.exec(row.textContent)[0])`,
  );

describe.skipIf(isBrowserMissing)('a long list', () => {
  it('draws what is visible, has all rows for screen readers, and shows each row once', async () => {
    const table = page.getByRole('table', { name: 'Leads' });
    expect(await table.getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
    const seen = new Set<string>();
    for (let turn = 0; turn < 12; turn += 1) {
      const names = await drawnNames();
      expect(names.length).toBeLessThan(MOST_DRAWN);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) seen.add(name);
      await scroller().hover();
      await page.mouse.wheel(0, 400);
      await expect.poll(async () => (await drawnNames()).some((name) => !seen.has(name))).toBe(true);
    }
    const numbers = [...seen].map((name) => Number(name.slice('Person '.length)));
    expect(Math.max(...numbers)).toBe(ROWS);
    expect(numbers.length).toBe(ROWS - Math.min(...numbers) + 1);
  });

  it('moves between rows by key, to the last one and back', async () => {
    await row(1).getByRole('link').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(focusedRow).toBe(2);
    await page.keyboard.press('End');
    await expect.poll(focusedRow).toBe(ROWS);
    expect(await row(ROWS).textContent()).toContain('Person 1');
    await page.keyboard.press('ArrowUp');
    await expect.poll(focusedRow).toBe(ROWS - 1);
    await page.keyboard.press('PageUp');
    await expect.poll(focusedRow).toBeLessThan(ROWS - 5);
    await page.keyboard.press('Home');
    await expect.poll(focusedRow).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Person/ }).waitFor();
  });

  it('keeps its place in the address, over Back and a reload', async () => {
    await row(1).getByRole('link').focus();
    await page.keyboard.press('End');
    await expect.poll(focusedRow).toBe(ROWS);
    await page.waitForURL(/row=19\d\d/);
    await page.reload();
    await row(ROWS).waitFor();
    await row(ROWS).getByRole('link').click();
    await page.waitForURL(/leads\/\d+/);
    await page.goBack();
    await row(ROWS).waitFor();
    await page.getByTestId('filter-number').fill('2999');
    await row(1).getByRole('cell', { name: 'Person 2000' }).waitFor();
    expect(page.url()).not.toContain('row=');
  });

  it('keeps what is being edited while it is scrolled away', async () => {
    await row(2).getByTestId('row-edit').focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('row-name').fill('Half a name');
    await scroller().hover();
    await page.mouse.wheel(0, 20_000);
    await expect.poll(() => page.getByTestId('lead-row').first().getAttribute('aria-rowindex')).not.toBe('2');
    await expect.poll(() => row(1).count()).toBe(0);
    await page.mouse.wheel(0, -30_000);
    await row(1).waitFor();
    expect(await page.getByTestId('row-name').inputValue()).toBe('Half a name');
    await page.getByTestId('row-name').press('Enter');
    await row(2).getByRole('cell', { name: 'Half a name' }).waitFor();
  });
});
