/** An operator edits an assistant, talks to the draft in the browser without saving it, and the stored assistant stays as it was. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallDetail } from '@parley/contracts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowserWithMicrophone, signInAsOperator } from '../src/admin-browser.ts';
import { createAssistant } from '../src/assistants.ts';
import { sharedInstallation } from '../src/shared-installation.ts';

let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-draft-call-'));
  browser = await launchBrowserWithMicrophone(folder);
  page = await (await browser.newContext()).newPage();
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(isBrowserMissing)('the editor of an assistant', () => {
  it('talks to the draft, which is not stored', async () => {
    const installation = sharedInstallation();
    const id = await createAssistant(installation, { webhookUrl: `${installation.baseUrl}/nowhere` });
    const path = `/api/user/assistant/${id}`;
    await installation.request('PUT', path, { is_webhook_active: false });
    const stored = await installation.request('GET', path);

    await signInAsOperator(page, installation);
    await page.goto(`${installation.baseUrl}/admin/assistants/${id}`);
    const talk = page.getByTestId('talk');
    const notes = page.getByTestId('draft-notes');
    await page.getByTestId('talk-start').waitFor();
    expect(await notes.textContent()).toBe('');

    const message = page.getByTestId('field-initial_message');
    await message.fill('Good day {{guest}}, this is the draft.');
    await notes.getByText('Talking to the draft').waitFor();
    await page.getByTestId('talk-variable-guest').fill('Ada');
    await page.getByTestId('talk-start').click();
    const turns = page.getByTestId('talk-turns');
    await turns.getByText('Good day Ada, this is the draft.').waitFor({ timeout: 90_000 });
    await expect
      .poll(async () => Number(await talk.getAttribute('data-played-ms')), { timeout: 90_000 })
      .toBeGreaterThan(500);

    await message.fill('Edited during the call.');
    await notes.getByText('The form has changed since this call began').waitFor();
    await page.getByTestId('talk-hang-up').click();
    await page.getByTestId('talk-call-link').waitFor();

    const callId = await talk.getAttribute('data-call-id');
    const readCall = async () =>
      (await installation.request('GET', `/api/user/calls/${callId}`)) as { data: CallDetail };
    await expect
      .poll(async () => (await readCall()).data.turns[0]?.text)
      .toBe('Good day Ada, this is the draft.');
    expect((await readCall()).data.events).toContainEqual(
      expect.objectContaining({ type: 'draft_used', detail: { settings: ['initial_message'] } }),
    );
    expect(await installation.request('GET', path)).toEqual(stored);
  });

  it('shows the faults of a draft at their fields, and talks from a drawer on a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const name = page.getByTestId('field-name');
    await name.fill('');
    await page.getByTestId('tab-voice').click();
    await page.getByTestId('talk-open').click();
    await page.getByTestId('talk-start').click();
    await name.and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByText('Fill in this field.').first().waitFor();
    await expect.poll(() => name.evaluate('(field) => field === document.activeElement')).toBe(true);

    await page.getByTestId('talk-open').click();
    await page.getByRole('alert').getByText('The draft has errors.').waitFor();
    await page.getByTestId('talk-close').click();
    await page.getByTestId('talk').waitFor({ state: 'detached' });
    await page.getByTestId('assistant-discard').click();
  });
});
