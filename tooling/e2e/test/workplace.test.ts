/** The daily work of an operator in a real browser: versions of an assistant, trials of tools, leads by the hundred, the command palette. */
import { readFile } from 'node:fs/promises';
import { startWebhookReceiver } from '@parley/testkit';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { createAssistant } from '../src/assistants.ts';
import { sharedInstallation } from '../src/shared-installation.ts';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser?.close());

beforeEach(async () => {
  if (isBrowserMissing) return;
  page = await (await browser.newContext()).newPage();
  await signInAsOperator(page, sharedInstallation());
});

afterEach(() => page?.context().close());

async function makeAssistant(): Promise<number> {
  const installation = sharedInstallation();
  return createAssistant(installation, {
    webhookUrl: `${installation.baseUrl}/nowhere`,
    maxSilenceSeconds: 60,
  });
}

describe.skipIf(isBrowserMissing)('the admin app', () => {
  it('draws its frame and asks for data before the server has said who is signed in', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/trpc/session.me**', async (route) => {
      await held.promise;
      await route.continue();
    });
    const figures = page.waitForResponse('**/trpc/overview.calls**');
    await page.goto(`${sharedInstallation().baseUrl}/admin/overview`);
    await page.getByRole('link', { name: 'Users' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect((await figures).ok()).toBe(true);
    expect(await page.getByTestId('user-menu').count()).toBe(0);
    held.resolve();
    await page.getByTestId('user-menu').waitFor();
  });

  it('leads to the sign-in page when the session has ended since the last visit, and back after it', async () => {
    const { baseUrl } = sharedInstallation();
    await page.context().clearCookies();
    await page.goto(`${baseUrl}/admin/campaigns`);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/campaigns');
    expect(await page.evaluate('localStorage.getItem("parley-last-role")')).toBeNull();
  });

  it('keeps what was written when the session ends, and saves it after signing in again in another tab', async () => {
    const { baseUrl } = sharedInstallation();
    const id = await makeAssistant();
    const name = page.getByTestId('field-name');
    const save = page.getByTestId('assistant-save');
    await page.goto(`${baseUrl}/admin/assistants/${id}`);
    await name.fill('Written before the end');
    await page.context().clearCookies();
    const asked = page.waitForResponse((response) => response.status() === 401);
    await save.click();
    await asked;
    await page.getByText('You are signed out. Sign in again in another tab').waitFor();
    expect(await name.inputValue()).toBe('Written before the end');
    const other = await page.context().newPage();
    await signInAsOperator(other, sharedInstallation());
    await save.click();
    await page.getByRole('heading', { level: 1, name: 'Written before the end' }).waitFor();
  });

  it('shows on the narrowest screens what an entry of the audit log has changed, the status of a request, and all actions of an assistant in one line', async () => {
    const { baseUrl } = sharedInstallation();
    const id = await makeAssistant();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${baseUrl}/admin/audit-log`);
    const created = page.getByTestId('audit-row').filter({ hasText: `Created an assistant #${id}` });
    await created.getByText(/^Voice, .* · API, /).waitFor();
    await page.goto(`${baseUrl}/admin/api-log`);
    const status = page.getByTestId('api-log-row').locator('.mantine-Badge-label').first();
    expect(await status.evaluate((label) => label.scrollWidth <= label.clientWidth)).toBe(true);
    await page.goto(`${baseUrl}/admin/assistants/${id}`);
    const duplicate = await page.getByTestId('assistant-copy').boundingBox();
    const talk = await page.getByRole('button', { name: 'Talk', exact: true }).boundingBox();
    expect(talk?.y).toBe(duplicate?.y);
  });

  it('shows no dash for a voice whose name has not arrived', async () => {
    const held = Promise.withResolvers<void>();
    await makeAssistant();
    await page.route('**/trpc/lookups.all**', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${sharedInstallation().baseUrl}/admin/assistants`);
    const voice = page.getByTestId('assistant-row').first().getByRole('cell').nth(1);
    await voice.waitFor();
    expect(await voice.textContent()).toBe('');
    held.resolve();
    await voice.getByText('Flite').waitFor();
  });

  it('compares a version of an assistant with now, and restores a part of it', async () => {
    const installation = sharedInstallation();
    const id = await makeAssistant();
    const path = `/api/user/assistant/${id}`;
    const before = (await installation.request('GET', path)) as { name: string; system_prompt: string };
    await installation.request('PUT', path, { assistant_name: 'Changed', system_prompt: 'Ask.\nListen.' });
    await page.goto(`${installation.baseUrl}/admin/assistants/${id}`);
    await page.getByTestId('versions-open').click();
    await page.getByText('Changed: Name, Instructions.').waitFor();
    await page.getByTestId('version-compare').click();
    const prompt = page.locator('[data-testid=version-setting][data-setting=system_prompt]');
    await prompt.locator('del', { hasText: 'Listen.' }).waitFor();
    await page.getByRole('checkbox', { name: 'Name' }).uncheck();
    await page.getByTestId('version-restore').click();
    await page.getByTestId('version-restore-confirm').click();
    await page.getByText('Restored from version 1.').waitFor();
    expect(await installation.request('GET', path)).toMatchObject({
      name: 'Changed',
      system_prompt: before.system_prompt,
    });
  });

  it('tries a tool before it is saved', async () => {
    const installation = sharedInstallation();
    const receiver = await startWebhookReceiver();
    receiver.answerNext({ status: 200, body: '{"free":true}' });
    await page.goto(`${installation.baseUrl}/admin/assistants/${await makeAssistant()}?tab=tools`);
    await page.getByTestId('new-tool').click();
    await page.getByTestId('tool-name').fill('look_up');
    await page.getByTestId('tool-description').fill('Looks up.');
    await page.getByTestId('tool-url').fill(`${receiver.url}?place={{place}}`);
    await page
      .getByTestId('tool-parameters')
      .fill('{"type":"object","properties":{"day":{"type":"string","enum":["monday"]}}}');
    await page.getByTestId('tool-try').click();
    await page.getByTestId('tool-trial-variables').fill('{"place":"hall"}');
    await page.getByTestId('tool-trial-send').click();
    const result = page.getByTestId('tool-trial-result');
    await result.getByText('Answered 200').waitFor();
    expect(await result.textContent()).toContain('{"free":true}');
    const { body } = await receiver.request(1);
    expect(JSON.parse(body)).toEqual({ day: 'monday' });
    await receiver.close();
  });

  it('stops calling all leads of a filter, exports them, and deletes selected ones', async () => {
    const installation = sharedInstallation();
    const assistantId = await makeAssistant();
    const made = (await installation.request('POST', '/api/user/campaigns', {
      name: 'Bulk',
      assistant_id: assistantId,
    })) as { data: { id: number } };
    const { id: campaignId } = made.data;
    const leads = Array.from({ length: 60 }, (_, place) => ({ phone_number: `+120255501${10 + place}` }));
    await installation.request('POST', `/api/user/campaigns/${campaignId}/leads`, {
      leads,
      allow_duplicate: true,
    });
    await page.goto(`${installation.baseUrl}/admin/leads?campaign=${campaignId}`);
    await page.getByTestId('leads-select-all').check();
    await page.getByTestId('leads-end').click();
    await page.getByText('60 leads will be completed and not called again.').waitFor();
    await page.getByTestId('leads-end-confirm').click();
    await page.getByTestId('leads-changed').getByText('60 leads changed').waitFor();
    await page.getByTestId('leads-close').click();
    await page.locator('[data-testid=lead-row][data-state=completed]').first().waitFor();

    const download = page.waitForEvent('download');
    await page.getByTestId('leads-export').click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.trim().split('\r\n')).toHaveLength(61);

    await page.getByTestId('lead-select').first().check();
    await page
      .getByTestId('lead-select')
      .nth(3)
      .click({ modifiers: ['Shift'] });
    await page.getByTestId('leads-delete').click();
    await page.getByTestId('leads-delete-confirm').click();
    await page.getByTestId('leads-changed').getByText('4 leads changed').waitFor();
    await page.getByTestId('leads-close').click();
    await page.getByTestId('lead-total').getByText('56 leads').waitFor();
  });

  it('edits a lead in its row by key, and shows what is wrong with a number', async () => {
    const installation = sharedInstallation();
    const made = (await installation.request('POST', '/api/user/campaigns', {
      name: 'In place',
      assistant_id: await makeAssistant(),
    })) as { data: { id: number } };
    const body = { campaign_id: made.data.id, phone_number: '+12025550171', variables: { name: 'Ada' } };
    await installation.request('POST', '/api/user/lead', body);
    await page.goto(`${installation.baseUrl}/admin/leads?campaign=${made.data.id}`);
    await page.getByTestId('row-edit').focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('row-number').fill('none');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Invalid phone number').waitFor();
    await page.getByTestId('row-number').fill('+1 202 555 0172');
    await page.getByTestId('row-name').fill('Ada L.');
    await page.getByTestId('row-status').selectOption('completed');
    await page.getByTestId('row-name').press('Enter');
    const row = page.locator('[data-testid=lead-row][data-state=completed]');
    await row.getByRole('cell', { name: 'Ada L.' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement?.dataset.testid')).toBe('row-edit');
    await page.keyboard.press('Enter');
    await page.getByTestId('row-name').fill('Somebody');
    await page.keyboard.press('Escape');
    await row.getByRole('cell', { name: 'Ada L.' }).waitFor();
    const leads = await installation.request('GET', `/api/user/leads?campaign_id=${made.data.id}`);
    expect(leads).toMatchObject([{ phone_number: '+12025550172', variables: { name: 'Ada L.' } }]);
  });

  it('reads a written conversation, switches its assistant off, ends it and deletes it', async () => {
    const installation = sharedInstallation();
    const assistantId = await makeAssistant();
    const { conversation_id: id } = (await installation.request('POST', '/api/conversations', {
      assistant_id: assistantId,
      variables: { plan: 'Basic' },
    })) as { conversation_id: string };
    await page.goto(`${installation.baseUrl}/admin/assistants/${assistantId}`);
    await page.getByRole('link', { name: 'View all' }).click();
    await page.waitForURL(`**/conversations?assistant=${assistantId}`);
    await page.getByTestId('conversation-row').getByText('Hello, this is the test.').waitFor();
    await page.getByTestId('conversation-row').getByRole('link').click();
    await page.getByTestId('message').getByText('Hello, this is the test.').waitFor();
    await page.getByText('Basic').waitFor();

    await page.getByTestId('conversation-switch-off').click();
    await page.getByTestId('conversation-switch-off-confirm').click();
    await page.getByTestId('conversation-switch-on').waitFor();
    const written = `/api/conversations/${id}`;
    await installation.request('POST', `${written}/messages`, { message: 'Is somebody there?' });
    await page.getByTestId('message').getByText('Is somebody there?').waitFor();

    await page.getByTestId('conversation-end').click();
    await page.getByTestId('conversation-end-confirm').click();
    await page.getByText('Ended in this app').waitFor();
    expect(await installation.request('GET', written)).toMatchObject({
      state: 'ended',
      ended_reason: 'person_ended',
      ai_enabled: false,
    });

    await page.getByTestId('conversation-remove').click();
    await page.getByTestId('conversation-remove-confirm').click();
    await page.waitForURL('**/conversations');
    await expect(installation.request('GET', written)).rejects.toThrow('404');
  });

  it('goes to an assistant from the command palette, and lists the shortcuts', async () => {
    const installation = sharedInstallation();
    const id = await makeAssistant();
    await installation.request('PUT', `/api/user/assistant/${id}`, {
      assistant_name: `Palette target ${id}`,
    });
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(`${installation.baseUrl}/admin/overview`);
    await page.getByTestId('palette-open').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByTestId('palette-search').fill(`${id} palette targ`);
    await page.getByTestId('palette-action').getByText(`Palette target ${id}`).waitFor();
    await page.getByTestId('palette-action').and(page.locator('[data-selected]')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/assistants/${id}`);
    await page.getByRole('heading', { name: `Palette target ${id}` }).waitFor();
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(faults).toEqual([]);
  });
});
