/** A real browser at the admin app, for the tests of its pages. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Installation } from './installation.ts';

/** Debian's browser; `CHROMIUM` names another. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);

/** Without a browser these tests are skipped, but for CI, where its absence is a failure. */
export const isBrowserMissing = !hasBrowser && process.env['CI'] !== 'true';
if (isBrowserMissing)
  process.stderr.write(`Skipping the browser tests: there is no Chromium at ${executablePath}.\n`);

/** Runs as root and asks no other host. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Launches the browser; the caller closes it. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: [...CHROMIUM_FLAGS, ...flags] });
}

/** Leaves the page at the overview. */
export async function signInAsOperator(page: Page, installation: Installation): Promise<void> {
  await page.goto(`${installation.baseUrl}/admin`);
  await page.getByLabel(/e-?mail/i).fill(installation.email);
  await page.getByRole('textbox', { name: /password/i }).fill(installation.password);
  await page.getByRole('button', { name: /sign in/i }).click();
  await page.getByRole('link', { name: 'Assistants', exact: true }).waitFor();
}
