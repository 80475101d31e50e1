/**
 * The reference page in a real browser that can reach nothing but this machine: it shows the endpoints, sends
 * requests that work, and asks no other host.
 */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedInstallation } from '../src/shared-installation.ts';

/** Debian's browser; `CHROMIUM` names another. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isSkipped = !existsSync(executablePath) && process.env['CI'] !== 'true';
if (isSkipped)
  process.stderr.write(
    `Skipping the test of the reference page: there is no Chromium at ${executablePath}.\n`,
  );

const installation = sharedInstallation();
let browser: Browser;
let page: Page;
const foreign: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  if (isSkipped) return;
  browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    ],
  });
  page = await browser.newPage();
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== installation.baseUrl) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
});

afterAll(async () => {
  await browser?.close();
});

describe.skipIf(isSkipped)('the reference page', () => {
  it('shows how to place a call', async () => {
    await page.goto(`${installation.baseUrl}/docs`);
    await page.getByText('Place a call', { exact: true }).waitFor();
    for (const group of ['Assistants', 'Lookup lists', 'Leads', 'Campaigns', 'Calls'])
      expect(await page.getByRole('heading', { name: group }).count(), group).toBeGreaterThan(0);
  });

  it('sends a request with the token that was typed in', async () => {
    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.locator('.modal-ux');
    await dialog.locator('input').fill(installation.token);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const operation = page.locator('.opblock', { hasText: 'The user behind the token' }).first();
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').getByText(installation.email).first().waitFor();
  });

  it('places a call with the example that is filled in', async () => {
    const operation = page.locator('.opblock', { hasText: 'Place a call' }).first();
    await operation.locator('.opblock-summary-control').click();
    const body = operation.locator('textarea').first();
    const example = JSON.parse(await body.inputValue()) as { phone_number: string; assistant_id: number };
    const [assistant] = (await installation.request('GET', '/api/user/assistants/outbound')) as {
      id: number;
    }[];
    await body.fill(JSON.stringify({ ...example, assistant_id: assistant?.id }));
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation
      .locator('.live-responses-table')
      .getByText('Call initiated successfully')
      .first()
      .waitFor();
  });

  it('sends no request to another host and violates no content security policy', () => {
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
