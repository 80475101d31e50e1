/** Every page of the admin app: in both colour schemes, judged by axe, and in a pseudo-language, which finds texts outside of the modules of texts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../src/accessibility.ts';
import { ADMIN_PAGES, pathOf, type PageRows } from '../src/admin-pages.ts';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { placeCall, waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { buildPseudoLanguage, foreignTexts, servePseudoLanguage, watchData } from '../src/pseudo-language.ts';

let installation: Installation;
let browser: Browser;
let rows: PageRows;

beforeAll(async () => {
  installation = await startInstallation();
  browser = await launchBrowser();
  const [assistant] = (await installation.request('GET', '/api/user/assistants/outbound')) as {
    id: number;
  }[];
  const campaign = { name: 'Spring', assistant_id: assistant?.id };
  await installation.request('POST', '/api/user/campaigns', campaign);
  await installation.request('POST', '/api/user/lead', { campaign_id: 1, phone_number: '+12025550101' });
  await installation.request('PUT', `/api/user/assistant/${assistant?.id}`, {
    is_webhook_active: true,
    webhook_url: 'http://127.0.0.1:9/hook',
    send_webhook_only_on_completed: false,
  });
  const call = await placeCall(installation, {
    assistantId: assistant?.id ?? 0,
    phoneNumber: '+12025550160',
  });
  await waitForCall(installation, call, ({ ended_reason: reason }) => reason !== null);
  const deliveries = (await installation.request('GET', '/api/user/webhook-deliveries')) as {
    data: { id: string }[];
  };
  const written = (await installation.request('POST', '/api/ai/generate-reply', {
    assistant_id: assistant?.id,
    customer_identifier: 'a customer',
    // The dialogue collects nothing from it: names of collected values are data that look like names of fields.
    message: 'Hello.',
  })) as { conversation_id: string };
  const base = (await installation.request('POST', '/api/user/knowledgebases', { name: 'Menu' })) as {
    data: { id: number };
  };
  const knowledgebase = base.data.id;
  const document = { name: 'Starters', type: 'txt', content: 'Soup of the day' };
  await installation.request('POST', `/api/user/knowledgebases/${knowledgebase}/documents`, document);
  const delivery = deliveries.data[0]?.id ?? '';
  const definition = 'assistant: 1\ncallers: [{ name: asks, script: [Hello.] }]';
  const suite = (await installation.request('POST', '/api/user/suites', { definition })) as {
    data: { id: number };
  };
  const started = (await installation.request('POST', `/api/user/suites/${suite.data.id}/runs`, {})) as {
    data: { id: number };
  };
  rows = {
    assistant: 1,
    call,
    conversation: written.conversation_id,
    campaign: 1,
    draft: 1,
    lead: 1,
    delivery,
    knowledgebase,
    suite: suite.data.id,
    run: started.data.id,
  };
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

describe.skipIf(isBrowserMissing).each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  let page: Page;

  beforeAll(async () => {
    page = await (await browser.newContext({ colorScheme, reducedMotion: 'reduce' })).newPage();
    await signInAsOperator(page, installation);
  });

  it.each(ADMIN_PAGES)('the page $name breaks no rule', async (one) => {
    await page.goto(`${installation.baseUrl}/admin/${pathOf(one, rows)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

describe.skipIf(isBrowserMissing)('in the pseudo-language', () => {
  let page: Page;
  let folder: string;
  let data: ReadonlySet<string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-pseudo-language-'));
    await buildPseudoLanguage(folder);
    const context = await browser.newContext();
    page = await context.newPage();
    await signInAsOperator(page, installation);
    await servePseudoLanguage(context, folder);
    data = watchData(page);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(ADMIN_PAGES)('the page $name has no text from elsewhere', async (one) => {
    await page.goto(`${installation.baseUrl}/admin/${pathOf(one, rows)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).not.toBe('');
    expect(await foreignTexts(page, data)).toEqual([]);
  });
});
