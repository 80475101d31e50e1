/**
 * The admin app in a real browser on the shared installation, as far as it takes seconds: sign in, pages that do not
 * exist, failures, API tokens. The long tests have everything else.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { sharedInstallation } from '../src/shared-installation.ts';

const installation = sharedInstallation();
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  page = await (await browser.newContext()).newPage();
});

afterAll(async () => {
  await browser?.close();
});

describe.skipIf(isBrowserMissing)('the admin app', () => {
  it('signs the operator in', async () => {
    await signInAsOperator(page, installation);
  });

  it('shows a failure that no form or page reports, until it is dismissed', async () => {
    await page.evaluate('reportError(new Error("The list could not be renewed."))');
    await page.getByRole('alert').getByText('The list could not be renewed.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByTestId('failure-banner').waitFor({ state: 'detached' });
  });

  it.each(['nothing-here', 'calls/abc', 'campaigns/0'])(
    'shows a page with a main landmark at the address %s',
    async (address) => {
      await page.goto(`${installation.baseUrl}/admin/${address}`);
      await page.getByRole('main').getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    },
  );

  it('makes an API token that works until it is revoked', async () => {
    await page.goto(`${installation.baseUrl}/admin/assistants`);
    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByTestId('new-token').click();
    await page.getByTestId('token-name').fill('From the browser');
    await page.getByTestId('token-create').click();
    const token = await page.getByLabel('The new token').textContent();
    const status = async (): Promise<number> =>
      (await fetch(`${installation.baseUrl}/api/user/me`, { headers: { authorization: `Bearer ${token}` } }))
        .status;
    expect(await status()).toBe(200);

    const row = page.getByTestId('token-row').filter({ hasText: 'From the browser' });
    await row.getByTestId('token-revoke').click();
    await row.getByTestId('token-revoke-confirm').click();
    await row.getByText('Revoked', { exact: true }).waitFor();
    expect(await status()).toBe(401);
  });
});
