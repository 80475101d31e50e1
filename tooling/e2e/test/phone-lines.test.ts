/** The lines below the calls in a real browser: the SIP messages of a call as a ladder, and the diagnosis of a trunk. */
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../src/accessibility.ts';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { createAssistant } from '../src/assistants.ts';
import { placeCall, waitForCall } from '../src/calls.ts';
import { freePorts } from '../src/free-ports.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const BUSY_NUMBER = '+12025550160';
/** The first bytes of a capture file with microseconds, the highest byte first. */
const PCAP_MAGIC = 'a1b2c3d4';
const STEPS = 12;
/** The diagnosis of a trunk that does not answer takes 20 s on an idle machine. */
const DIAGNOSIS_LIMIT_MS = 60_000;

let installation: Installation;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (isBrowserMissing) return;
  installation = await startInstallation();
  browser = await launchBrowser();
  page = await (await browser.newContext()).newPage();
  await signInAsOperator(page, installation);
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

/** Creates a trunk of this account; the trunk to the test phones belongs to all. */
async function createTrunk(name: string, port: number | undefined): Promise<void> {
  const trunk = { name, host: '127.0.0.1', port, reach: 'fictional' };
  await installation.request('POST', '/api/user/phone-numbers/sip-trunks', trunk);
}

/** Opens the diagnosis of a trunk and waits for its result. */
async function diagnose(name: string): Promise<Locator> {
  await page.goto(`${installation.baseUrl}/admin/trunks`);
  const row = page.getByTestId('trunk-row').filter({ hasText: name }).first();
  await row.getByTestId('trunk-diagnose').click();
  const dialog = page.getByRole('dialog', { name: `Diagnose ${name}` });
  await dialog.getByTestId('diagnosis-step').first().waitFor({ timeout: DIAGNOSIS_LIMIT_MS });
  return dialog;
}

async function verdict(dialog: Locator, step: string): Promise<string | null> {
  return dialog.locator(`tr[data-step=${step}]`).getAttribute('data-verdict');
}

describe.skipIf(isBrowserMissing)('the lines in the admin app', () => {
  it('shows the SIP messages of a call in their order, each with its text, and a file for Wireshark', async () => {
    const assistantId = await createAssistant(installation, {
      webhookUrl: `${installation.baseUrl}/nowhere`,
      maxSilenceSeconds: 60,
    });
    const call = await placeCall(installation, { assistantId, phoneNumber: BUSY_NUMBER });
    await waitForCall(installation, call, ({ ended_reason: reason }) => reason !== null);
    await page.goto(`${installation.baseUrl}/admin/calls/${call}`);
    const messages = page.getByTestId('sip-ladder').getByTestId('sip-message');
    await messages.filter({ hasText: '486' }).first().waitFor();
    const summaries = await messages.locator('summary').allTextContents();
    expect(summaries[0]).toMatch(/INVITE$/);
    expect(summaries.at(-1)).toMatch(/ACK$/);
    expect(await messages.first().getAttribute('data-direction')).toBe('out');
    expect(await messages.filter({ hasText: '486' }).first().getAttribute('data-direction')).toBe('in');

    const text = messages.first().locator('pre');
    expect(await text.isVisible()).toBe(false);
    await messages.first().locator('summary').focus();
    await page.keyboard.press('Enter');
    await text.waitFor();
    expect(await text.textContent()).toMatch(/^INVITE sip:\S+ SIP\/2\.0/);
    expect(await accessibilityFaults(page)).toEqual([]);

    const download = page.waitForEvent('download');
    await page.getByTestId('sip-capture').click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`call-${call}.pcap`);
    expect((await readFile(await file.path())).subarray(0, 4).toString('hex')).toBe(PCAP_MAGIC);
  });

  it('diagnoses a trunk that works: every step has a verdict, and none failed', async () => {
    await createTrunk('To the phones', installation.phonesPort);
    const dialog = await diagnose('To the phones');
    expect(await dialog.getByTestId('diagnosis-step').count()).toBe(STEPS);
    expect(await verdict(dialog, 'reach')).toBe('ok');
    expect(await dialog.locator('tr[data-verdict=failed]').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByTestId('diagnose-again').click();
    await dialog.locator('[data-step=reach][data-verdict=ok]').waitFor();
  });

  it(
    'names the step at which a trunk fails, with a cure',
    async () => {
      const [port] = await freePorts(1);
      await createTrunk('Nobody there', port);
      const dialog = await diagnose('Nobody there');
      expect(await verdict(dialog, 'address')).toBe('ok');
      expect(await verdict(dialog, 'reach')).toBe('failed');
      await dialog.locator('[data-step=reach]').getByText('Cure:').waitFor();
      expect(await verdict(dialog, 'clock')).toBe('skipped');
    },
    DIAGNOSIS_LIMIT_MS * 2,
  );
});
