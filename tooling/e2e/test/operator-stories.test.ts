/**
 * Stories of an operator's day in a real browser, on one installation: a campaign watched to its end and its calls sorted
 * by disposition, a recording moved by key and by word, ten thousand rows with faults imported and undone, a page by
 * keyboard alone, and nine tabs at once.
 */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

/** Answers and talks. */
const PERSON = '+12025550110';
/** Is busy. */
const BUSY = '+12025550160';
const LIST = ['Interested', 'Call back', 'Wrong number'];

let installation: Installation;
let browser: Browser;
let page: Page;
let campaignId: number;

beforeAll(async () => {
  installation = await startInstallation();
  browser = await launchBrowser();
  if (isBrowserMissing) return;
  page = await (await browser.newContext()).newPage();
  await signInAsOperator(page, installation);
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

interface Made {
  data: { id: number };
}

/** A fictional number for each place below 80,000, in area codes that may exist. */
function fictional(place: number): string {
  const area = 201 + Math.floor(place / 100);
  return `+1${area}55501${String(place % 100).padStart(2, '0')}`;
}

async function makeCampaign(name: string, fields: object = {}): Promise<number> {
  const [assistant] = (await installation.request('GET', '/api/user/assistants/outbound')) as {
    id: number;
  }[];
  const body = { name, assistant_id: assistant?.id, max_retries: 0, ...fields };
  return ((await installation.request('POST', '/api/user/campaigns', body)) as Made).data.id;
}

describe.skipIf(isBrowserMissing)('an operator', () => {
  it('watches a campaign to its end', async () => {
    campaignId = await makeCampaign('Watched');
    for (const phone_number of [PERSON, BUSY])
      await installation.request('POST', '/api/user/lead', { campaign_id: campaignId, phone_number });
    await page.goto(`${installation.baseUrl}/admin/campaigns/${campaignId}`);
    const now = page.getByTestId('campaign-now');
    await now.getByText('Not started. 2 leads wait for the start.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByTestId('campaign-dispositions').fill(`${LIST.join('\n')}\ninterested`);
    await page.getByTestId('campaign-save').click();
    await page.getByText('This value is used more than once.').waitFor();
    await page.getByTestId('campaign-dispositions').fill(LIST.join('\n'));
    await page.getByTestId('campaign-save').click();
    await page.getByTestId('campaign-report').waitFor();
    await page.getByTestId('campaign-start').click();
    await page.getByTestId('start-people').getByText('2 people will be called.').waitFor();
    await page.getByTestId('campaign-start-confirm').click();
    await page.getByRole('heading', { name: 'Calls in progress' }).waitFor();
    await page.getByTestId('call-row').first().waitFor();
    const calls = await page.context().newPage();
    await calls.goto(`${installation.baseUrl}/admin/calls`);
    await calls.getByTestId('live-calls').getByText('In progress: 1').waitFor();
    await calls.getByTestId('call-row').getByText('In progress').waitFor();
    await calls.getByTestId('live-calls').waitFor({ state: 'detached', timeout: 120_000 });
    await calls.close();
    await now.getByText('Completed: 1 of 2 leads were reached.').waitFor({ timeout: 120_000 });
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    const link = page.locator(`a[href$="/campaigns/${campaignId}"]`);
    const listed = page.getByTestId('campaign-row').filter({ has: link });
    await listed.getByTestId('campaign-progress').getByText('2 of 2').waitFor();
  });

  it('sorts a call by disposition, filters by it, and downloads the report', async () => {
    const search = `campaign_id=${campaignId}&outcome=talked`;
    const calls = (await installation.request('GET', `/api/user/calls?${search}`)) as {
      data: { id: number }[];
    };
    await page.goto(`${installation.baseUrl}/admin/calls/${calls.data[0]?.id}`);
    await page.getByText('No disposition yet').waitFor();
    await page.getByTestId('call-disposition').selectOption('Call back');
    await page.getByText('Set by hand').waitFor();
    await page.getByTestId('call-lead').click();
    await page.waitForURL(/admin\/leads\/\d+$/);
    await page.getByTestId('lead-verdict').waitFor();
    await page.goto(`${installation.baseUrl}/admin/campaigns/${campaignId}`);
    const counted = page.getByTestId('campaign-dispositions');
    await counted.getByRole('listitem').filter({ hasText: 'Call back1' }).waitFor();
    await counted.getByRole('link', { name: 'Call back' }).click();
    await page.getByTestId('call-total').getByText('1 call').waitFor();
    expect(await page.getByTestId('filter-disposition').inputValue()).toBe('Call back');
    await page.getByTestId('call-columns').click();
    await page.getByTestId('call-column-disposition').check();
    await page.getByTestId('call-row').getByText('Call back').waitFor();
    await page.reload();
    await page.getByTestId('call-row').getByText('Call back').waitFor();
    const download = page.waitForEvent('download');
    await page.getByTestId('calls-export').click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(',Watched,completed,talked,Call back,');
  });

  it('looks through the calls by key beside their preview, and sorts them', async () => {
    await page.goto(`${installation.baseUrl}/admin/calls`);
    const rows = page.getByTestId('call-row');
    const ids = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-call-id')));
    const preview = page.getByTestId('call-preview');
    await rows.first().waitFor();
    const talkedAt = (await rows.getByTestId('call-outcome').allTextContents()).indexOf('Talked');
    await rows.nth(talkedAt).locator('td').last().click();
    await preview.getByTestId('preview-turns').waitFor();
    await preview.getByTestId('player').waitFor();
    const chosen = () => rows.evaluateAll((all) => all.findIndex((row) => row.matches('[data-chosen=true]')));
    await page.keyboard.press(talkedAt === 0 ? 'ArrowDown' : 'ArrowUp');
    await preview.getByText('Busy').first().waitFor();
    expect(await chosen()).toBe(1 - talkedAt);
    await page.keyboard.press('Enter');
    await page.waitForURL(/calls\/\d+$/);
    await page.goBack();
    await preview.getByText('Busy').first().waitFor();
    await page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });

    const newestFirst = await ids();
    await page.getByRole('button', { name: 'Duration' }).click();
    await page.waitForURL(/sort=duration/);
    await expect.poll(async () => (await rows.first().textContent())?.includes('Talked')).toBe(true);
    await page.getByRole('button', { name: 'Duration' }).click();
    await expect.poll(async () => (await rows.first().textContent())?.includes('Busy')).toBe(true);
    await page.getByRole('button', { name: 'Started' }).click();
    await expect.poll(ids).toEqual(newestFirst);
    await page.getByRole('button', { name: 'Started' }).click();
    await expect.poll(ids).toEqual(newestFirst.toReversed());
  });

  it('moves through a recording by key and by word', async () => {
    await page.goto(`${installation.baseUrl}/admin/calls?outcome=talked`);
    await page.getByTestId('call-row').getByRole('link').first().click();
    await page.getByTestId('latency-bar').first().waitFor();
    const player = page.getByTestId('player');
    const position = async (): Promise<number> => Number(await player.getAttribute('data-position'));
    // Not by `waitForFunction`, which evaluates a string in the page and is refused by its content security policy.
    await expect
      .poll(() => page.evaluate('document.querySelector("audio")?.readyState ?? 0'))
      .toBeGreaterThanOrEqual(1);
    await page.keyboard.press('l');
    await expect.poll(position).toBeGreaterThan(0);
    await page.keyboard.press('j');
    await expect.poll(position).toBe(0);
    // The first turn may be a single word, in which both clicks would seek to the same time.
    const texts = page
      .getByTestId('turn')
      .locator('[class*=text]')
      .filter({ hasText: /(\S+\s+){3}\S/ });
    const words = await texts.first().boundingBox();
    if (!words) throw new Error('The turn has no place on the page');
    await page.evaluate(
      'globalThis.seeks = []; document.querySelector("audio").addEventListener("seeking", ({ target }) => seeks.push(target.currentTime))',
    );
    const seeks = (): Promise<number[]> => page.evaluate('seeks');
    await page.mouse.click(words.x + 16, words.y + 10);
    await expect.poll(async () => (await seeks()).length).toBe(1);
    await page.mouse.click(words.x + words.width - 16, words.y + 10);
    await expect.poll(async () => (await seeks()).length).toBe(2);
    const [first = 0, second = 0] = await seeks();
    expect(second).toBeGreaterThan(first + 0.1);
  });

  it('imports ten thousand rows with faults, and takes them back', { timeout: 180_000 }, async () => {
    const target = await makeCampaign('Ten thousand');
    const rows = Array.from({ length: 9995 }, (_, place) => `${fictional(place)},Name ${place}`);
    rows.splice(100, 0, 'nobody,A', '+1202,B');
    rows.splice(5000, 0, ',C');
    rows.push(rows[0] ?? '', rows[1] ?? '');
    const csv = `phone_number,name\n${rows.join('\n')}\n`;
    await page.goto(`${installation.baseUrl}/admin/campaigns/${target}/import`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByTestId('import-check').click();
    const checked = page.getByTestId('import-check-result');
    await checked.getByTestId('import-check-row').filter({ hasText: 'nobody' }).waitFor();
    await page.getByRole('button', { name: 'Import 9,995 leads' }).click();
    await page
      .getByTestId('import-result')
      .getByText('9,995 leads were imported.')
      .waitFor({ timeout: 90_000 });
    await page.getByTestId('import-undo').click();
    await page.getByTestId('import-undo-confirm').click();
    await page.getByText('9,995 leads were removed').waitFor({ timeout: 90_000 });
  });

  it('makes a campaign by keyboard alone', async () => {
    await page.goto(`${installation.baseUrl}/admin/campaigns`);
    await page.getByTestId('new-campaign').focus();
    await page.keyboard.press('Enter');
    const name = page.getByTestId('campaign-name');
    await name.waitFor();
    const isFocused = async () => (await page.locator('[data-testid=campaign-name]:focus').count()) > 0;
    for (let tabs = 0; tabs < 5 && !(await isFocused()); tabs++) await page.keyboard.press('Tab');
    await page.keyboard.type('By keyboard');
    // Before the assistants have arrived, the key would select nothing.
    await page.getByTestId('campaign-assistant').locator('option').nth(1).waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.getByTestId('campaign-create').press('Enter');
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
  });

  it('works in nine tabs at once', async () => {
    const paths = ['overview', 'calls', 'campaigns', `campaigns/${campaignId}`, 'leads', 'assistants'];
    const all = [...paths, 'webhooks', 'calls?outcome=busy', 'audit-log'];
    const tabs = await Promise.all(all.map(() => page.context().newPage()));
    await Promise.all(
      tabs.map(async (tab, place) => {
        await tab.goto(`${installation.baseUrl}/admin/${all[place]}`);
        await tab.getByRole('heading').first().waitFor();
      }),
    );
    // Each still answers while all of them hold their connections.
    for (const tab of tabs) {
      await tab.bringToFront();
      await tab.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
      await tab.getByText('Watched').first().waitFor();
      await tab.close();
    }
  });
});
