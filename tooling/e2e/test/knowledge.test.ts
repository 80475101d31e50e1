/** Knowledge bases in a real browser: created, filled from a text, a file and a website, renamed, emptied and deleted. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../src/accessibility.ts';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

let installation: Installation;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  installation = await startInstallation();
  browser = await launchBrowser();
  page = await (await browser.newContext()).newPage();
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

function documentRow(name: string): Locator {
  return page.getByTestId('document-row').filter({ hasText: name });
}

async function openForm(name: string, source: string): Promise<void> {
  await page.getByTestId('new-document').click();
  await page.getByTestId('document-name').fill(name);
  await page.getByTestId('document-source').selectOption(source);
}

async function expectState(name: string, state: string): Promise<void> {
  await expect.poll(() => documentRow(name).getAttribute('data-state'), { timeout: 30_000 }).toBe(state);
}

describe.skipIf(isBrowserMissing)('the pages of knowledge bases', () => {
  it('say what to do when there are none, and create one', async () => {
    await signInAsOperator(page, installation);
    await page.getByRole('navigation').getByRole('link', { name: 'Knowledge' }).click();
    await page.getByText('No knowledge bases yet').waitFor();
    await page.getByTestId('new-knowledge').click();
    await page.getByTestId('knowledge-name').fill('Menu');
    await page.getByTestId('knowledge-create').click();
    await page.getByRole('heading', { level: 1, name: 'Menu' }).waitFor();
    await page.getByText('No documents yet').waitFor();
  });

  it('add a text and a file, which become ready', async () => {
    await openForm('Soups', 'text');
    await page.getByTestId('document-text').fill('The soup of the day is tomato soup.');
    await page.getByTestId('document-add').click();
    await openForm('Wines', 'file');
    await page.locator('input[type=file]').setInputFiles({
      name: 'wines.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Wines\n\nThe house wine is a Riesling.'),
    });
    await page.getByTestId('document-add').click();
    await expectState('Soups', 'active');
    await expectState('Wines', 'active');
    expect(await documentRow('Wines').textContent()).toContain('Markdown');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('show why a website could not be read', async () => {
    await openForm('Site', 'website');
    await page.getByTestId('document-url').fill('http://127.0.0.1:9/');
    await page.getByTestId('document-add').click();
    await expectState('Site', 'failed');
    expect(await documentRow('Site').textContent()).toMatch(/Failed.{10,}/);
  });

  it('refuse a file that cannot be read before it is sent', async () => {
    await openForm('Table', 'file');
    const content = { mimeType: 'application/zip', buffer: Buffer.from('x') };
    await page.locator('input[type=file]').setInputFiles({ name: 'table.xlsx', ...content });
    await page.getByTestId('document-add').click();
    await page.getByText('Select a file with the ending').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('delete a document, rename the knowledge base and delete it', async () => {
    await documentRow('Site').getByTestId('document-remove').click();
    await page.getByTestId('document-remove-confirm').click();
    await expect.poll(() => page.getByTestId('document-row').count()).toBe(2);
    await page.getByTestId('knowledge-rename').click();
    await page.getByTestId('knowledge-name').fill('Dishes');
    await page.getByTestId('knowledge-save').click();
    await page.getByRole('heading', { level: 1, name: 'Dishes' }).waitFor();
    await page.getByTestId('knowledge-remove').click();
    await page.getByTestId('knowledge-remove-confirm').click();
    await page.getByText('No knowledge bases yet').waitFor();
  });
});
