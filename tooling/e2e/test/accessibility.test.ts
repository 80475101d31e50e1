/** Every page of the admin app in both colour schemes, judged by axe. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../src/accessibility.ts';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const PAGES = [
  'overview',
  'assistants',
  'assistants/new',
  'assistants/1',
  'assistants/1?tab=voice',
  'assistants/1?tab=model',
  'assistants/1?tab=tools',
  'assistants/1?tab=phone',
  'assistants/1?tab=after',
  'assistants/1?tab=webhook',
  'assistants/1?tab=advanced',
  'assistants/1/talk',
  'calls',
  'calls/1',
  'campaigns',
  'campaigns/1',
  'leads',
  'leads/1',
  'consents',
  'do-not-call',
  'webhooks',
  'providers',
  'trunks',
  'prices',
  'fraud-protection',
  'tokens',
  'account',
  'users',
  'audit-log',
  'nothing-here',
];

let installation: Installation;
let browser: Browser;

beforeAll(async () => {
  installation = await startInstallation();
  browser = await launchBrowser();
  const [assistant] = (await installation.request('GET', '/api/user/assistants/outbound')) as {
    id: number;
  }[];
  const campaign = { name: 'Spring', assistant_id: assistant?.id };
  await installation.request('POST', '/api/user/campaigns', campaign);
  await installation.request('POST', '/api/user/lead', { campaign_id: 1, phone_number: '+12025550101' });
  const call = { assistant_id: assistant?.id, phone_number: '+12025550160' };
  await installation.request('POST', '/api/user/make_call', call);
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

  it.each(PAGES)('the page /%s breaks no rule', async (path) => {
    await page.goto(`${installation.baseUrl}/admin/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
