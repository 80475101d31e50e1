/**
 * The operator's first minutes in a real browser: sign in, talk with an assistant through a microphone that plays a
 * file, hear it answer, see the call's row appear by itself, import leads, run a campaign and ask why it called, send a
 * webhook again, subscribe an address to events, and reach every page on a narrow screen.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWebhookReceiver } from '@parley/testkit';
import type { Browser, Dialog, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowserWithMicrophone, signInAsOperator } from '../src/admin-browser.ts';
import { placeCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

let installation: Installation;
let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-browser-'));
  installation = await startInstallation();
  browser = await launchBrowserWithMicrophone(folder);
  page = await (await browser.newContext()).newPage();
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(isBrowserMissing)('the admin app', () => {
  it('signs the operator in', async () => {
    await signInAsOperator(page, installation);
  });

  it('talks with an assistant, hears it, and sees the row appear live', async () => {
    const watcher = await page.context().newPage();
    await watcher.goto(`${installation.baseUrl}/admin/calls`);
    await watcher.getByRole('heading', { name: 'Calls', exact: true }).waitFor();

    await page.goto(`${installation.baseUrl}/admin/overview`);
    await page.getByTestId('first-step-talk-open').waitFor();
    await page.getByTestId('first-step-talk').click();
    const talk = page.getByTestId('talk');
    await page.getByTestId('talk-start').click();
    await expect
      .poll(async () => Number(await talk.getAttribute('data-played-ms')), { timeout: 90_000 })
      .toBeGreaterThan(500);

    await watcher.getByTestId('call-row').first().waitFor();
    expect(await watcher.getByTestId('call-row').first().textContent()).toMatch(/web/i);

    await page.getByTestId('talk-hang-up').click();
    await watcher.getByTestId('call-row').first().getByTestId('call-outcome').waitFor();
    // A page behind another one draws once a second, which every click would wait for.
    await watcher.close();
  });

  it('makes a campaign, imports a file of leads, shows which rows were refused, and takes it back', async () => {
    await page.goto(`${installation.baseUrl}/admin/assistants`);
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByTestId('new-campaign').click();
    await page.getByTestId('campaign-create').click();
    await page.getByText('Fill in this field.').first().waitFor();
    await page.getByTestId('campaign-name').fill('From a file');
    const questions: string[] = [];
    const keepEditing = (question: Dialog): Promise<void> => {
      questions.push(question.message());
      return question.dismiss();
    };
    page.on('dialog', keepEditing);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.goBack();
    const question = 'You have unsaved changes. Discard them?';
    await expect.poll(() => questions).toEqual([question, question]);
    expect(await page.getByTestId('campaign-name').inputValue()).toBe('From a file');
    page.off('dialog', keepEditing);
    await page.getByTestId('campaign-assistant').selectOption({ index: 1 });
    await page.getByTestId('campaign-create').click();
    await page.getByRole('heading', { name: 'From a file' }).waitFor();
    await page.getByTestId('import-leads').click();
    const csv = 'Nummer,Name,Notes\n+12025550101,Ada,x\n+12025550102,Bo,\nnone,Cy,\n';
    const file = { name: 'mai.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('row', { name: /^Name Ada Bo Cy/ }).waitFor();
    await page.getByTestId('import-check').click();
    await page.getByText('No column holds the phone number. The file has: Nummer, Name, Notes').waitFor();
    await page.getByLabel('Import Nummer as').selectOption('Phone number');
    await page.getByLabel('Variable name for Name').fill('customer_name');
    await page.getByLabel('Import Notes as').selectOption('Do not import');
    await page.getByTestId('import-check').click();
    const checked = page.getByTestId('import-check-result');
    await checked.getByTestId('import-check-row').filter({ hasText: 'none' }).waitFor();
    await page.getByTestId('import-no-country').waitFor();
    expect(await installation.request('GET', '/api/user/leads')).toEqual([]);
    await page.getByRole('button', { name: 'Import 2 leads' }).click();

    const result = page.getByTestId('import-result');
    await result.getByText('2 leads were imported.').waitFor();
    const download = page.waitForEvent('download');
    await result.getByTestId('import-report').click();
    expect(await readFile(await (await download).path(), 'utf8')).toContain('4,Nummer,phone_number_invalid');
    const leads = (await installation.request('GET', '/api/user/leads')) as {
      phone_number: string;
      variables: object;
    }[];
    const ada = leads.find(({ phone_number: number }) => number === '+12025550101');
    expect(ada?.variables).toEqual({ customer_name: 'Ada' });

    await result.getByTestId('import-undo').click();
    await page.getByTestId('import-undo-confirm').click();
    await result.getByText('The import was undone: 2 leads were removed.').waitFor();
    expect(await installation.request('GET', '/api/user/leads')).toEqual([]);
    await page.getByRole('link', { name: 'Go to the campaign' }).click();
    const row = page.getByTestId('import-row').filter({ hasText: 'mai.csv' });
    await row.getByRole('cell', { name: '2 imported, 1 refused, 2 removed' }).waitFor();
  });

  it('starts a campaign after showing its plan, tells why each lead was called, and sends a webhook again', async () => {
    const receiver = await startWebhookReceiver();
    const [assistant] = (await installation.request('GET', '/api/user/assistants/outbound')) as {
      id: number;
    }[];
    await installation.request('PUT', `/api/user/assistant/${assistant?.id}`, {
      is_webhook_active: true,
      webhook_url: receiver.url,
      send_webhook_only_on_completed: false,
    });
    const created = (await installation.request('POST', '/api/user/campaigns', {
      name: 'Watched',
      assistant_id: assistant?.id,
      max_retries: 0,
    })) as { data: { id: number } };
    const busy = { campaign_id: created.data.id, phone_number: '+12025550160' };
    await installation.request('POST', '/api/user/lead', busy);
    await page.goto(`${installation.baseUrl}/admin/campaigns/${created.data.id}`);
    await page.getByTestId('campaign-start').click();
    await page.getByTestId('start-people').getByText('1 person will be called.').waitFor();
    await page.getByTestId('forecast').getByText('Leads waiting').waitFor();
    await page.getByTestId('campaign-start-confirm').click();

    const lead = page.getByTestId('lead-row').filter({ hasText: busy.phone_number });
    await lead.getByText('Not reached').waitFor();
    await page.getByText('Completed ·').waitFor();
    await lead.getByRole('link').click();
    await page.getByTestId('lead-verdict').getByText('This lead will not be called again').waitFor();
    const attempt = page.getByTestId('attempt-row');
    await attempt.getByText('First call to the lead.').waitFor();
    await attempt.getByRole('link').click();

    const first = await receiver.request(1);
    await page.getByTestId('resend').click();
    const again = await receiver.request(2);
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    await receiver.close();
  });

  it('subscribes an address to events, sends it a test, and reports a call to it', async () => {
    const receiver = await startWebhookReceiver();
    await page.goto(`${installation.baseUrl}/admin/webhooks`);
    await page.getByTestId('new-endpoint').click();
    await page.getByTestId('endpoint-url').fill(receiver.url);
    for (const event of ['call.started', 'call.ended'])
      await page.getByTestId(`endpoint-event-${event}`).click();
    await page.getByTestId('endpoint-save').click();
    const secret = (await page.getByTestId('made-secret').locator('pre').textContent()) ?? '';

    const row = page.getByTestId('endpoint-row').filter({ hasText: receiver.url });
    await row.getByTestId('endpoint-test').click();
    await page.getByTestId('endpoint-test-send').click();
    await page.getByTestId('test-result').getByText('Your server accepted the event').waitFor();
    const verified = async (number: number): Promise<unknown> => {
      const { headers, body } = await receiver.request(number);
      return new Webhook(secret).verify(body, headers);
    };
    expect(await verified(1)).toMatchObject({ event: 'webhook.test' });
    await page.keyboard.press('Escape');

    const [assistant] = (await installation.request('GET', '/api/user/assistants/outbound')) as {
      id: number;
    }[];
    const call = { assistantId: assistant?.id ?? 0, phoneNumber: '+12025550160' };
    const callId = await placeCall(installation, call);
    expect([await verified(2), await verified(3)]).toMatchObject([
      { event: 'call.started', call_id: callId, customer_phone: call.phoneNumber },
      { event: 'call.ended', call_id: callId, status: 'busy' },
    ]);

    await row.getByTestId('endpoint-delete').click();
    await page.getByTestId('endpoint-delete-confirm').click();
    await row.waitFor({ state: 'detached' });
    await receiver.close();
  });

  it('shows which of the first steps are done, until they are hidden', async () => {
    await page.goto(`${installation.baseUrl}/admin/overview`);
    await page.getByTestId('first-step-talk-done').waitFor();
    await page.getByTestId('first-step-create-open').waitFor();
    await page.getByTestId('first-step-connect-open').waitFor();
    await page.getByTestId('first-steps-hide').click();
    await page.getByTestId('first-steps').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByTestId('figure').first().waitFor();
    expect(await page.getByTestId('first-steps').count()).toBe(0);
  });

  it('shows the calls of the last days and the health of the installation', async () => {
    await page.goto(`${installation.baseUrl}/admin/overview`);
    await page.getByTestId('health-indicator').and(page.locator('[data-health=good]')).waitFor();
    await page.getByTestId('figure').filter({ hasText: 'Calls' }).first().waitFor();
    const chart = page.getByRole('slider', { name: 'Calls by day and outcome' });
    await chart.locator('canvas').waitFor();
    await page.getByText('Show the figures as a table').click();
    await page.getByRole('columnheader', { name: 'Silence, median' }).waitFor();
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/\d+: .*Busy \d/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/calls\?from=/);
    await page.getByTestId('call-row').first().waitFor();
  });

  it('reloads a tab that is older than the server, whose files are gone', async () => {
    await page.goto(`${installation.baseUrl}/admin/assistants`);
    let missing = 0;
    await page.route(/assets\/calls-page.*\.(js|css)$/, async (route) => {
      missing += 1;
      await (missing === 1 ? route.fulfill({ status: 404 }) : route.continue());
    });
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
    expect(missing).toBeGreaterThan(0);
    await page.unrouteAll();
  });

  it('shows the last page of the calls at the address of a page that does not exist', async () => {
    await page.goto(`${installation.baseUrl}/admin/calls?page=99999`);
    await page.getByRole('main').getByRole('heading', { level: 1, name: 'Calls' }).waitFor();
    await page.getByTestId('call-row').first().waitFor();
  });

  it('shows a campaign without moving what is already on screen', async () => {
    const watched = await page.context().newPage();
    await watched.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await watched.goto(`${installation.baseUrl}/admin/campaigns/1`);
    await watched.getByRole('heading', { name: 'Imports' }).waitFor();
    await watched.getByRole('heading', { name: 'Leads' }).waitFor();
    await watched.waitForLoadState('networkidle');
    expect(await watched.evaluate<number>('window.shift')).toBeLessThanOrEqual(0.02);
    await watched.close();
  });

  it('reaches every page on a narrow screen', async () => {
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await page.getByTestId('menu').click();
    const names = await links.allTextContents();
    expect(names).toHaveLength(20);
    for (const [index, name] of names.entries()) {
      if (index > 0) await page.getByTestId('menu').click();
      await links.getByText(name, { exact: true }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.getByTestId('menu').getAttribute('aria-expanded')).toBe('false');
    }
    if (wide) await page.setViewportSize(wide);
  });
});
