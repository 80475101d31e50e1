/**
 * An operator records sentences of an assistant in the editor: from a file, with the microphone, with a file that is no
 * sound. Then a phone is called, and hears the recording instead of the voice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWav, tone, toneAmplitude, tonePurity, WAV_HEADER_BYTES, wavHeader } from '@parley/audio';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../src/accessibility.ts';
import { isBrowserMissing, launchBrowserWithMicrophone, signInAsOperator } from '../src/admin-browser.ts';
import { createAssistant } from '../src/assistants.ts';
import { placeCall, waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

/** Answers and says nothing. */
const SILENT_PHONE = '+12025550198';
const GREETING = 'Hello, this is the test.';
const OTHER = 'Thank you, I have noted that.';
/** Neither is a harmonic of the other. */
const TONES = [700, 1100] as const;
const BURSTS = 6;
const BURST_MS = 250;
const SAMPLE_RATE_HZ = 16_000;

let installation: Installation;
let browser: Browser;
let folder: string;
let page: Page;
let assistantId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-recorded-phrases-'));
  installation = await startInstallation();
  browser = await launchBrowserWithMicrophone(folder);
  const webhookUrl = `${installation.baseUrl}/nowhere`;
  assistantId = await createAssistant(installation, {
    webhookUrl,
    maxSilenceSeconds: 5,
    endsOnVoicemail: false,
  });
  await installation.request('PUT', `/api/user/assistant/${assistantId}`, { is_webhook_active: false });
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The two tones in turn, as a WAV file. */
function pattern(): Buffer {
  const samples = (SAMPLE_RATE_HZ * BURST_MS) / 1000;
  const bursts = Array.from({ length: BURSTS }, (_, place) =>
    tone({ hz: TONES[place % 2] ?? 0, sampleRateHz: SAMPLE_RATE_HZ, samples, amplitude: 6000 }),
  );
  const dataBytes = 2 * samples * BURSTS;
  const header = wavHeader({ channelCount: 1, sampleRateHz: SAMPLE_RATE_HZ, dataBytes });
  const file = Buffer.concat([header, ...bursts.map(({ buffer }) => new Uint8Array(buffer))]);
  expect(file.length).toBe(WAV_HEADER_BYTES + dataBytes);
  return file;
}

/** How long each tone sounds, one after another: `[[700, 250], [1100, 250]]`. Pieces of 10 ms; short ones are transitions. */
function tonesIn(samples: Int16Array, sampleRateHz: number): [hz: number, ms: number][] {
  const found: [number, number][] = [];
  const piece = sampleRateHz / 100;
  for (let start = 0; start + 2 * piece <= samples.length; start += piece) {
    const window = samples.subarray(start, start + 2 * piece);
    const loudest = TONES.find(
      (hz) => toneAmplitude(window, hz, sampleRateHz) > 1000 && tonePurity(window, hz, sampleRateHz) > 0.9,
    );
    if (loudest === undefined) continue;
    const last = found.at(-1);
    if (last?.[0] === loudest) last[1] += 10;
    else found.push([loudest, 10]);
  }
  return found.filter(([, ms]) => ms >= 100);
}

const rowOf = (text: string): Locator => page.getByTestId('phrase-row').filter({ hasText: text });
const inState = (text: string, state: string): Locator =>
  page.locator(`[data-testid="phrase-row"][data-state="${state}"]`).filter({ hasText: text });

async function selectFile(name: string, buffer: Buffer): Promise<void> {
  await page.getByTestId('phrase-source').getByText('File').click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByTestId('phrase-file').click();
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer });
}

async function openEditor(): Promise<void> {
  page = await (await browser.newContext()).newPage();
  await signInAsOperator(page, installation);
  await page.goto(`${installation.baseUrl}/admin/assistants/${assistantId}?tab=voice`);
  await rowOf(GREETING).waitFor();
}

describe.skipIf(isBrowserMissing)('recorded sentences in the editor', () => {
  it('come from a file, which is refused at once if it is of another kind', async () => {
    await openEditor();
    await inState(GREETING, 'spoken').getByTestId('phrase-record').click();
    expect(await page.getByTestId('phrase-sentence').textContent()).toBe(GREETING);
    await selectFile('notes.txt', Buffer.from('no sound'));
    await page.getByText('Select a WAV, MP3 or Ogg Opus file').waitFor();
    await selectFile('greeting.wav', pattern());
    await page.getByTestId('phrase-save').click();
    await inState(GREETING, 'active').getByText('Ready, 1.5 s').last().waitFor();
    await rowOf(GREETING).getByTestId('phrase-listen').click();
    await rowOf(GREETING).getByText('Stop').waitFor();
    await rowOf(GREETING).getByText('Listen').waitFor();
  });

  it('come from the microphone, also for a sentence that is in no setting', async () => {
    await page.getByTestId('new-phrase').click();
    await page.getByTestId('phrase-text').fill('Hello {{name}}.');
    await page.getByTestId('phrase-save').click();
    await page.getByText('A sentence with variables has other words').waitFor();
    await page.getByText('Record the sentence first').waitFor();
    await page.getByTestId('phrase-text').fill(OTHER);
    await page.getByTestId('microphone-start').click();
    await page.getByText('Stop (5 s)').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByTestId('microphone-stop').click();
    await page.getByTestId('microphone-listen').waitFor();
    await page.getByTestId('phrase-save').click();
    await inState(OTHER, 'active').getByText('In none of the saved settings').waitFor();
  });

  it('say why a sound cannot be used, and are deleted', async () => {
    await rowOf(OTHER).getByTestId('phrase-record').click();
    await selectFile('broken.mp3', Buffer.from('no sound'));
    await page.getByTestId('phrase-save').click();
    await inState(OTHER, 'failed').getByText('It is not a WAV, MP3 or Ogg Opus file.').last().waitFor();
    for (const state of ['failed', 'active']) {
      await inState(OTHER, state).getByTestId('phrase-remove').click();
      await page.getByTestId('phrase-remove-confirm').filter({ visible: true }).click();
      await inState(OTHER, state).waitFor({ state: 'detached' });
    }
    await inState(GREETING, 'active').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('are what a phone hears, while the transcript has the words', async () => {
    const callId = await placeCall(installation, { assistantId, phoneNumber: SILENT_PHONE });
    const { recording_url: url = '', turns } = await waitForCall(
      installation,
      callId,
      ({ status, recording_url }) => status === 'completed' && recording_url !== undefined,
    );
    const { channels, sampleRateHz } = readWav(new Uint8Array(await (await fetch(url)).arrayBuffer()));
    const heard = tonesIn(channels[1] ?? new Int16Array(), sampleRateHz);
    expect(heard.map(([hz]) => hz)).toEqual(Array.from({ length: BURSTS }, (_, place) => TONES[place % 2]));
    for (const [, ms] of heard) expect(Math.abs(ms - BURST_MS)).toBeLessThanOrEqual(40);
    expect(turns[0]).toMatchObject({ sender: 'bot', text: GREETING });
    expect(tonesIn(channels[0] ?? new Int16Array(), sampleRateHz)).toEqual([]);
  });

  it('are used in calls until they are deleted', async () => {
    await rowOf(GREETING).getByTestId('phrase-remove').click();
    await page.getByTestId('phrase-remove-confirm').filter({ visible: true }).click();
    await inState(GREETING, 'spoken').waitFor();
    const path = `/api/user/assistants/${assistantId}/recorded-phrases`;
    expect(await installation.request('GET', path)).toMatchObject({ data: [] });
  });
});
