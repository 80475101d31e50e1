/**
 * The widget on a page of another origin, in a real browser with a microphone that plays a file. The page has a content
 * security policy that allows only what docs/widget.md asks for.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, launchBrowserWithMicrophone } from '../src/admin-browser.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

interface Assistant {
  id: number;
  uuid: string;
}

let installation: Installation;
let browser: Browser;
let shop: Server;
let shopUrl: string;
let folder: string;
let assistant: Assistant;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-widget-'));
  installation = await startInstallation();
  [assistant] = (await installation.request('GET', '/api/user/assistants')) as [Assistant];
  const origin = installation.baseUrl;
  shop = createServer((_request, response) => {
    const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin} ${origin.replace('http', 'ws')}`;
    response.setHeader('Content-Security-Policy', policy).setHeader('Content-Type', 'text/html');
    response.end(
      `<!doctype html><title>Shop</title><script src="${origin}/widget.js" async></script>
       <parley-widget assistant="${assistant.uuid}"></parley-widget>`,
    );
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  browser = await launchBrowserWithMicrophone(folder);
});

afterAll(async () => {
  await browser?.close();
  shop?.closeAllConnections();
  shop?.close();
  await installation?.stop();
  await rm(folder, { recursive: true, force: true });
});

const setWidget = (settings: Record<string, unknown>) =>
  installation.request('PUT', `/api/user/assistant/${assistant.id}`, { widget_settings: settings });

async function openShop(inBrowser = browser): Promise<Page> {
  const page = await (await inBrowser.newContext()).newPage();
  await page.goto(shopUrl);
  return page;
}

describe.skipIf(isBrowserMissing)('the widget on the page of a shop', () => {
  it('shows nothing while the page is not allowed', async () => {
    const page = await (await browser.newContext()).newPage();
    const warned = page.waitForEvent('console', (message) => message.text().includes('is not shown'));
    await page.goto(shopUrl);
    await warned;
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('talks with the assistant, and the call is in the list of calls', async () => {
    await setWidget({
      allowed_origins: [shopUrl],
      color: '#7048e8',
      position: 'left',
      consent_text: 'The call is recorded.',
      texts: { open: 'Ask the shop' },
    });
    const page = await openShop();
    await page.getByRole('button', { name: 'Ask the shop' }).click();
    await page.getByText('The call is recorded.').waitFor();
    await page.getByRole('button', { name: 'Start the call' }).click();
    const root = page.locator('.root');
    await expect
      .poll(async () => Number(await root.getAttribute('data-played-ms')), { timeout: 90_000 })
      .toBeGreaterThan(500);
    expect(await root.getAttribute('data-side')).toBe('left');
    expect(await root.getAttribute('style')).toContain('#7048e8');
    const calls = (await installation.request('GET', '/api/user/calls')) as {
      data: { id: number; type: string; status: string }[];
    };
    expect(calls.data[0]).toMatchObject({ type: 'web', status: 'in-progress' });
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByText('The call has ended.').waitFor();
  });

  it('explains that no microphone was found', async () => {
    const mute = await launchBrowser();
    try {
      const page = await openShop(mute);
      await page.getByRole('button', { name: 'Ask the shop' }).click();
      await page.getByRole('button', { name: 'Start the call' }).click();
      await page
        .getByRole('alert')
        .getByText(/microphone/)
        .waitFor();
    } finally {
      await mute.close();
    }
  });

  it('the demo page shows it too', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${installation.baseUrl}/widget/demo/${assistant.uuid}`);
    await page.getByRole('button', { name: 'Ask the shop' }).waitFor();
  });
});
