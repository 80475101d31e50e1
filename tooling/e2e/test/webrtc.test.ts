/**
 * Talk and the widget in a real browser over WebRTC, and over their WebSocket where the network carries no UDP. The microphone
 * plays a file, whose sound must arrive as a turn of the customer, and the answer must be audible.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWav, WAV_HEADER_BYTES, wavHeader } from '@parley/audio';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  isBrowserMissing,
  launchBrowserPlaying,
  signInAsOperator,
  WITHOUT_UDP,
} from '../src/admin-browser.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

/** "Wednesday", of Debian's asterisk-core-sounds-en-wav, 8000 Hz. */
const WEDNESDAY = '/usr/share/asterisk/sounds/en_US_f_Allison/digits/day-3.wav';
const SAMPLE_RATE_HZ = 8000;
/** The demo assistant that asks for a day. */
const DEMO_ID = 2;

const voice = await readFile(WEDNESDAY).catch(() => null);
if (!voice) {
  const why = 'asterisk-core-sounds-en-wav is not installed: the test of WebRTC is skipped';
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`${why}\n`);
}

interface Assistant {
  id: number;
  uuid: string;
}

let installation: Installation;
let folder: string;
let assistant: Assistant;
let microphone: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-webrtc-'));
  installation = await startInstallation();
  const assistants = (await installation.request('GET', '/api/user/assistants')) as Assistant[];
  assistant = assistants.find(({ id }) => id === DEMO_ID) ?? { id: 0, uuid: '' };
  microphone = join(folder, 'microphone.wav');
  if (voice) await writeFile(microphone, betweenSilences(readWav(voice).channels[0]));
  await installation.request('PUT', `/api/user/assistant/${assistant.id}`, {
    widget_settings: { allowed_origins: [installation.baseUrl] },
  });
});

afterAll(async () => {
  await installation?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The microphone repeats its file: four seconds of silence, the word, and eight seconds of silence. */
function betweenSilences(word: Int16Array = new Int16Array()): Uint8Array {
  const samples = new Int16Array(SAMPLE_RATE_HZ * 12 + word.length);
  samples.set(word, SAMPLE_RATE_HZ * 4);
  const header = wavHeader({ channelCount: 1, sampleRateHz: SAMPLE_RATE_HZ, dataBytes: samples.byteLength });
  const bytes = new Uint8Array(WAV_HEADER_BYTES + samples.byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(samples.buffer), WAV_HEADER_BYTES);
  return bytes;
}

async function openPage(flags: readonly string[]): Promise<Page> {
  const browser: Browser = await launchBrowserPlaying(microphone, flags);
  onTestFinished(() => browser.close());
  return (await browser.newContext()).newPage();
}

const heardMs = async (page: Page, selector: string): Promise<number> =>
  Number(await page.locator(selector).getAttribute('data-played-ms'));

const TALK = '[data-testid=talk]';

/** Until the page has played half a second of the assistant. */
async function listen(page: Page, selector: string): Promise<void> {
  await expect.poll(() => heardMs(page, selector), { timeout: 90_000 }).toBeGreaterThan(500);
}

/** Begins a conversation and hears the assistant. */
async function talk(page: Page): Promise<void> {
  await signInAsOperator(page, installation);
  await page.goto(`${installation.baseUrl}/admin/assistants/${assistant.id}/talk`);
  await page.getByTestId('talk-start').click();
  await listen(page, TALK);
}

describe.skipIf(isBrowserMissing || !voice).each([
  { network: 'an ordinary network', flags: [], path: 'webrtc' },
  { network: 'a network without UDP', flags: [WITHOUT_UDP], path: 'websocket' },
])('a call from a browser on $network', ({ flags, path }) => {
  it('of Talk', async () => {
    const page = await openPage(flags);
    await talk(page);
    await page.locator(`[data-testid=sound-path][data-path=${path}]`).waitFor();
    if (path === 'webrtc') await page.getByText(/round trip \d+ ms/).waitFor();
    await page
      .getByTestId('talk-turns')
      .getByText(/wednesday/i)
      .first()
      .waitFor({ timeout: 90_000 });
    await page.getByTestId('talk-hang-up').click();
  });

  it('of the widget', async () => {
    const page = await openPage(flags);
    await page.goto(`${installation.baseUrl}/widget/demo/${assistant.uuid}`);
    await page.getByRole('button', { name: 'Talk to us' }).click();
    await page.getByRole('button', { name: 'Start the call' }).click();
    await listen(page, '.root');
    await page.locator(`.root[data-sound-path=${path}]`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByText('The call has ended.').waitFor();
  });
});
