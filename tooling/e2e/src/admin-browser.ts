/** A real browser at the admin app, for the tests of its pages. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tone, WAV_HEADER_BYTES, wavHeader } from '@parley/audio';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { SharedInstallation } from './installation.ts';

/** Debian's browser; `CHROMIUM` names another. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);

/** Without a browser these tests are skipped, but for CI, where its absence is a failure. */
export const isBrowserMissing = !hasBrowser && process.env['CI'] !== 'true';
if (isBrowserMissing)
  process.stderr.write(`Skipping the browser tests: there is no Chromium at ${executablePath}.\n`);

/** Runs as root and asks no other host. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Launches the browser; the caller closes it. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: [...CHROMIUM_FLAGS, ...flags] });
}

/** Has a microphone without asking. */
const MICROPHONE_FLAGS = [
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
];

/** Half a second of silence, then bursts that the energy detector takes for speech. */
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

/**
 * The same with a microphone that plays a file.
 *
 * @param folder - for that file
 */
export async function launchBrowserWithMicrophone(
  folder: string,
  flags: readonly string[] = [],
): Promise<Browser> {
  const microphone = join(folder, 'microphone.wav');
  await writeMicrophone(microphone);
  return launchBrowserPlaying(microphone, flags);
}

/** With a microphone that plays that WAV file, again and again. */
export async function launchBrowserPlaying(
  microphone: string,
  flags: readonly string[] = [],
): Promise<Browser> {
  const file = `--use-file-for-fake-audio-capture=${microphone}`;
  return launchBrowser([...MICROPHONE_FLAGS, file, ...flags]);
}

/** WebRTC of this browser sends no UDP, as in networks that block it. */
export const WITHOUT_UDP = '--webrtc-ip-handling-policy=disable_non_proxied_udp';

/** Leaves the page at the overview. */
export async function signInAsOperator(page: Page, installation: SharedInstallation): Promise<void> {
  await page.goto(`${installation.baseUrl}/admin`);
  await page.getByLabel(/e-?mail/i).fill(installation.email);
  await page.getByRole('textbox', { name: /password/i }).fill(installation.password);
  await page.getByRole('button', { name: /sign in/i }).click();
  await page.getByRole('link', { name: 'Assistants', exact: true }).waitFor();
}
