/**
 * The operator's first minutes in a real browser: sign in, talk with an assistant through a microphone that plays a
 * file, hear it answer, see the call's row appear by itself, import leads, make an API token and revoke it.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tone, WAV_HEADER_BYTES, wavHeader } from '@parley/audio';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHouse, type House } from '../src/house.ts';

/** Debian's browser; `CHROMIUM` names another. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
if (!hasBrowser && process.env['CI'] !== 'true')
  process.stderr.write(`Skipping the browser tests: there is no Chromium at ${executablePath}.\n`);

/** Runs as root, asks no other host, and has a microphone without asking. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
];

let house: House;
let browser: Browser;
let page: Page;
let folder: string;

/** Half a second of silence, then bursts that sound like somebody talking to the voice detector's energy gate. */
async function writeMicrophone(path: string): Promise<void> {
  const sampleRateHz = 16_000;
  const samples = new Int16Array(sampleRateHz * 6);
  for (let burst = 0; burst < 8; burst += 1)
    samples.set(
      tone({ hz: 220, sampleRateHz, samples: sampleRateHz / 5, amplitude: 12_000 }),
      sampleRateHz * 2 + burst * 4_800,
    );
  const bytes = new Uint8Array(WAV_HEADER_BYTES + samples.byteLength);
  bytes.set(wavHeader({ channelCount: 1, sampleRateHz, dataBytes: samples.byteLength }));
  bytes.set(new Uint8Array(samples.buffer), WAV_HEADER_BYTES);
  await writeFile(path, bytes);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-browser-'));
  const microphone = join(folder, 'microphone.wav');
  await writeMicrophone(microphone);
  house = await startHouse();
  browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [...CHROMIUM_FLAGS, `--use-file-for-fake-audio-capture=${microphone}`],
  });
  page = await (await browser.newContext()).newPage();
});

afterAll(async () => {
  await browser?.close();
  await house?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!hasBrowser && process.env['CI'] !== 'true')('the admin app', () => {
  it('signs the operator in', async () => {
    await page.goto(`${house.baseUrl}/admin`);
    await page.getByLabel(/e-?mail/i).fill(house.email);
    await page.getByRole('textbox', { name: /password/i }).fill(house.password);
    await page.getByRole('button', { name: /sign in/i }).click();
    await page.getByRole('link', { name: 'Assistants' }).waitFor();
  });

  it('talks with an assistant, hears it, and sees the row appear live', async () => {
    const watcher = await page.context().newPage();
    await watcher.goto(`${house.baseUrl}/admin/calls`);
    await watcher.getByRole('heading', { name: 'Calls' }).waitFor();

    await page.goto(`${house.baseUrl}/admin/assistants`);
    await page
      .getByTestId('assistant-row')
      .first()
      .getByRole('link', { name: /talk with/i })
      .click();
    const talk = page.getByTestId('talk');
    await page.getByTestId('talk-start').click();
    await expect
      .poll(async () => Number(await talk.getAttribute('data-played-ms')), { timeout: 30_000 })
      .toBeGreaterThan(500);

    await watcher.getByTestId('call-row').first().waitFor({ timeout: 5_000 });
    expect(await watcher.getByTestId('call-row').first().textContent()).toMatch(/web/i);

    await page.getByTestId('talk-hang-up').click();
    await expect
      .poll(async () => await watcher.getByTestId('call-row').first().textContent(), { timeout: 30_000 })
      .toMatch(/completed/i);
  });

  it('imports a file of leads, shows which rows were refused, and takes it back', async () => {
    const [assistant] = (await house.request('GET', '/api/user/assistants/outbound')) as { id: number }[];
    const body = { name: 'From a file', assistant_id: assistant?.id };
    await house.request('POST', '/api/user/campaigns', body);
    await page.goto(`${house.baseUrl}/admin/assistants`);
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('link', { name: 'From a file' }).click();
    await page.getByTestId('import-leads').click();
    const csv = 'Nummer,Name\n+12025550101,Ada\n+12025550102,Bo\nnone,Cy\n';
    const file = { name: 'mai.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByTestId('import-send').click();
    await page.getByText('No column holds the phone number. The file has: Nummer, Name').waitFor();
    await page.getByLabel('Column with the phone number').fill('Nummer');
    await page.getByTestId('import-send').click();

    const row = page.getByTestId('import-row').filter({ hasText: 'mai.csv' });
    await row.getByText('2 imported, 1 refused').waitFor();
    const download = page.waitForEvent('download');
    await row.getByTestId('import-report').click();
    expect(await readFile(await (await download).path(), 'utf8')).toContain('4,Nummer,phone_number_invalid');

    await row.getByTestId('import-undo').click();
    await row.getByTestId('import-undo-confirm').click();
    await row.getByText('2 imported, 1 refused, 2 removed again').waitFor();
  });

  it('makes an API token that works until it is revoked', async () => {
    await page.goto(`${house.baseUrl}/admin/assistants`);
    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByTestId('new-token').click();
    await page.getByTestId('token-name').fill('From the browser');
    await page.getByTestId('token-create').click();
    const token = await page.getByLabel('The new token').textContent();
    const status = async (): Promise<number> =>
      (await fetch(`${house.baseUrl}/api/user/me`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);

    const row = page.getByTestId('token-row').filter({ hasText: 'From the browser' });
    await row.getByTestId('token-revoke').click();
    await row.getByTestId('token-revoke-confirm').click();
    await row.getByText('Revoked', { exact: true }).waitFor();
    expect(await status()).toBe(401);
  });
});
