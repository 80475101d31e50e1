/** An operator edits an assistant and talks to the draft in the browser without saving it; the stored assistant stays as it was. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallDetail } from '@parley/contracts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowserWithMicrophone, signInAsOperator } from '../src/admin-browser.ts';
import { createAssistant } from '../src/assistants.ts';
import { sharedInstallation } from '../src/shared-installation.ts';

const MESSAGE = 'Good day Ada, this is the draft.';

let browser: Browser;
let page: Page;
let folder: string;
/** The stored assistant. */
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-draft-call-'));
  browser = await launchBrowserWithMicrophone(folder);
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  if (isBrowserMissing) return;
  const installation = sharedInstallation();
  const webhookUrl = `${installation.baseUrl}/nowhere`;
  const id = await createAssistant(installation, { webhookUrl, maxSilenceSeconds: 60 });
  path = `/api/user/assistant/${id}`;
  await installation.request('PUT', path, { is_webhook_active: false });
  page = await (await browser.newContext()).newPage();
  await signInAsOperator(page, installation);
  await page.goto(`${installation.baseUrl}/admin/assistants/${id}`);
  await page.getByTestId('field-name').waitFor();
});

afterEach(() => page?.context().close());

/** Talks again after a call that failed because the speech of a busy machine came too late. */
async function talkUntilHeard(message: string): Promise<void> {
  const start = page.getByTestId('talk-start');
  const isHeard = async (): Promise<boolean> => {
    if (await start.isVisible()) await start.click();
    return page.getByTestId('talk-turns').getByText(message).isVisible();
  };
  await expect.poll(isHeard, { timeout: 90_000, interval: 250 }).toBe(true);
}

describe.skipIf(isBrowserMissing)('the editor of an assistant', () => {
  it('talks to the draft, which is not stored', { timeout: 180_000 }, async () => {
    const installation = sharedInstallation();
    const stored = await installation.request('GET', path);
    const talk = page.getByTestId('talk');
    const notes = page.getByTestId('draft-notes');
    await page.getByTestId('talk-start').waitFor();
    expect(await notes.textContent()).toBe('');

    const message = page.getByTestId('field-initial_message');
    await message.fill('Good day {{guest}}, this is the draft.');
    await notes.getByText('Talking to the draft').waitFor();
    await page.getByTestId('talk-variable-guest').fill('Ada');
    await talkUntilHeard(MESSAGE);

    await message.fill('Edited during the call.');
    await notes.getByText('The form has changed since this call began').waitFor();
    await page.getByTestId('talk-hang-up').click();
    await page.getByTestId('talk-call-link').waitFor();

    const callId = await talk.getAttribute('data-call-id');
    const readCall = async () =>
      (await installation.request('GET', `/api/user/calls/${callId}`)) as CallDetail;
    const spoken = async (): Promise<string | undefined> =>
      (await readCall()).turns.find(({ sender }) => sender === 'bot')?.text;
    await expect.poll(spoken).toBe(MESSAGE);
    const { events } = await readCall();
    const draftUsed = events.find(({ type }) => type === 'draft_used');
    expect(draftUsed?.detail).toEqual({ settings: ['initial_message'] });
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

    await page.getByTestId('talk-open').click();
    await page.getByRole('alert').getByText('The draft has errors.').waitFor();
    await page.getByTestId('talk-close').click();
    await page.getByTestId('talk').waitFor({ state: 'detached' });
    expect(await sharedInstallation().request('GET', path)).toMatchObject({ name: 'Test caller' });
  });
});
