/** The health indicator in the frame of the admin app, while processes of the installation stand still or have ended. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

let installation: Installation;
let browser: Browser;
let page: Page;
let supervisor: number;

beforeAll(async () => {
  installation = await startInstallation();
  browser = await launchBrowser();
  if (isBrowserMissing) return;
  supervisor = await pidOf('supervisor');
  page = await (await browser.newContext()).newPage();
  await signInAsOperator(page, installation);
});

afterAll(async () => {
  await browser?.close();
  // A supervisor that stands still cannot stop the others.
  if (supervisor) process.kill(supervisor, 'SIGCONT');
  await installation?.stop();
});

async function pidOf(name: string): Promise<number> {
  const pid = (await installation.processes())[name];
  if (!pid) throw new Error(`No process ${name}`);
  return pid;
}

/** The page asks every 15 s, and a lease lasts 10 s. */
async function shows(health: 'good' | 'bad'): Promise<void> {
  const indicator = page.locator(`[data-testid=health-indicator][data-health=${health}]`).first();
  await indicator.waitFor({ timeout: 60_000 });
}

describe.skipIf(isBrowserMissing)('the health indicator', () => {
  it('turns red while the voice process stands still', async () => {
    await shows('good');
    const voice = await pidOf('voice');
    process.kill(voice, 'SIGSTOP');
    await shows('bad');
    process.kill(voice, 'SIGCONT');
    await shows('good');
  });

  it('turns red without a worker, and without a database', async () => {
    // Nothing is started again meanwhile.
    process.kill(supervisor, 'SIGSTOP');
    process.kill(await pidOf('worker'), 'SIGKILL');
    await shows('bad');
    process.kill(supervisor, 'SIGCONT');
    await shows('good');
    process.kill(supervisor, 'SIGSTOP');
    process.kill(await pidOf('postgres'), 'SIGQUIT');
    await shows('bad');
  });
});
