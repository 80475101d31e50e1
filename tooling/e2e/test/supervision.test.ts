/**
 * An operator listens in to a call in the browser, whispers to the assistant and takes the call over: over real SIP and RTP,
 * with a microphone that plays a file. The model is our simulator of OpenAI's protocol.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Framer, rmsDbfs, tone, WAV_HEADER_BYTES, wavHeader } from '@parley/audio';
import type { Script } from '@parley/phones';
import { systemClock } from '@parley/runtime';
import { OpenAiSimulator } from '@parley/speech/fakes';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../src/accessibility.ts';
import { isBrowserMissing, launchBrowserPlaying, signInAsOperator } from '../src/admin-browser.ts';
import { placeCall, waitForCall, type CallDetail } from '../src/calls.ts';
import { startCarrier, type Carrier } from '../src/carrier.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { addSimulatedModel, createSimulatedAssistant } from '../src/simulated-model.ts';

const CUSTOMER = '+12025550110';
const OPERATOR_HZ = 600;
const RATE_HZ = 16_000;
const POLL = { timeout: 60_000, interval: 250 };
const WHISPER = 'Mention the discount of ten percent.';
const NEXT_WHISPER = 'Say goodbye.';

/** Sends a whisper whose answer is late, and writes the next one meanwhile. */
async function whisperTwice(page: Page): Promise<void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/trpc/calls.whisper**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByTestId('whisper-text').fill(WHISPER);
  await page.getByTestId('whisper').click();
  await page.getByTestId('whisper-text').fill(NEXT_WHISPER);
  held.resolve();
  await page.getByTestId('whisper-state').getByText('received').waitFor();
  expect(await page.getByTestId('whisper-text').inputValue()).toBe(NEXT_WHISPER);
}

/** @returns what the browser asked when a link was clicked; the answer is to stay */
async function tryToLeave(page: Page): Promise<string> {
  const asked = page.waitForEvent('dialog');
  const clicked = page.getByRole('navigation').getByRole('link', { name: 'Campaigns' }).click();
  const dialog = await asked;
  await dialog.dismiss();
  await clicked;
  return dialog.message();
}

/** Asks after the announcement, and stays. No tone: it would pass for the beep of an answering machine. */
const SCRIPT: Script = [
  { do: 'listen', pauseMs: 900, patienceMs: 30_000 },
  { do: 'listen', pauseMs: 900, patienceMs: 90_000 },
  { do: 'say', line: 'Can you tell me when you open?' },
  { do: 'wait', ms: 120_000 },
  { do: 'hang-up' },
];

const prompts: string[] = [];
const openai = new OpenAiSimulator({
  clock: systemClock,
  transcribe: () => 'Can you tell me when you open?',
  chat: ({ messages }) => {
    prompts.push(JSON.stringify(messages));
    return { text: 'We open at nine in the morning on every day of the week.' };
  },
});
let installation: Installation;
let carrier: Carrier;
let browser: Browser;
let folder: string;
/** The call of the current attempt; another one to its number needs its end. */
let callId = 0;

/** Bursts, because browsers suppress a tone that does not end. */
async function writeMicrophone(): Promise<string> {
  const samples = new Int16Array(RATE_HZ * 6);
  const burst = tone({ hz: OPERATOR_HZ, sampleRateHz: RATE_HZ, samples: RATE_HZ / 2, amplitude: 12_000 });
  for (let second = 0; second < 6; second++) samples.set(burst, second * RATE_HZ);
  const bytes = new Uint8Array(WAV_HEADER_BYTES + samples.byteLength);
  bytes.set(wavHeader({ channelCount: 1, sampleRateHz: RATE_HZ, dataBytes: samples.byteLength }));
  bytes.set(new Uint8Array(samples.buffer), WAV_HEADER_BYTES);
  const path = join(folder, 'operator.wav');
  await writeFile(path, bytes);
  return path;
}

beforeAll(async () => {
  if (isBrowserMissing) return;
  folder = await mkdtemp(join(tmpdir(), 'parley-supervision-'));
  await openai.start();
  [installation, browser] = await Promise.all([
    startInstallation(),
    launchBrowserPlaying(await writeMicrophone()),
  ]);
  carrier = await startCarrier(installation, {
    [CUSTOMER]: { takes: 'answers', ringMs: 200, voice: 'rms', script: SCRIPT },
  });
  await addSimulatedModel(installation, openai);
});

afterAll(async () => {
  await browser?.close();
  await carrier?.stop();
  await installation?.stop();
  await openai.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

afterEach(async () => {
  if (callId === 0) return;
  await installation.request('POST', `/api/user/calls/${callId}/hang-up`).catch(() => undefined);
  await waitForCall(installation, callId, ({ status }) => status === 'completed');
});

async function call(): Promise<number> {
  const assistantId = await createSimulatedAssistant(installation, {
    assistant_name: 'Hours',
    system_prompt: 'You know the opening hours.',
    re_engagement_interval: 60,
    max_silence_duration: 120,
    max_call_duration: 300,
  });
  return placeCall(installation, { assistantId, phoneNumber: CUSTOMER });
}

/**
 * The sound that the page receives and sends over its WebSockets, milliseconds. `customerMs`: what was loud before the first
 * turn of the customer was over, when the assistant has not answered yet.
 */
function tap(page: Page) {
  const heard = { customerMs: 0, loudMs: 0, sentMs: 0 };
  const framer = new Framer(RATE_HZ / 10);
  const measure = (window: Int16Array): void => {
    if (rmsDbfs(window) > -45) heard.loudMs += 100;
  };
  page.on('websocket', (socket) => {
    if (!socket.url().includes('/supervise')) return;
    socket.on('framesent', ({ payload }) => {
      if (typeof payload !== 'string') heard.sentMs += 20;
    });
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload !== 'string') framer.push(new Int16Array(new Uint8Array(payload).buffer), measure);
      else if (payload.includes('"human"')) heard.customerMs ||= heard.loudMs;
    });
  });
  return heard;
}

const detail = async (id: number): Promise<CallDetail> =>
  (await installation.request('GET', `/api/user/calls/${id}`)) as CallDetail;
const happened = async (id: number): Promise<string[]> => (await detail(id)).events.map(({ type }) => type);

describe.skipIf(isBrowserMissing)('an operator at a live call', () => {
  it('hears both sides, whispers, talks, gives back and hangs up', { timeout: 300_000 }, async () => {
    callId = await call();
    await waitForCall(installation, callId, ({ status }) => status === 'in-progress');
    const page = await (await browser.newContext()).newPage();
    const heard = tap(page);
    await signInAsOperator(page, installation);
    await page.goto(`${installation.baseUrl}/admin/calls/${callId}`);
    const panel = page.getByTestId('supervision');
    const stage = () => panel.getAttribute('data-stage');

    await page.getByTestId('listen').click({ timeout: 60_000 });
    await expect.poll(stage, POLL).toBe('listening');
    await expect.poll(() => happened(callId), POLL).toContain('listening_announced');
    await whisperTwice(page);
    expect(await accessibilityFaults(page)).toEqual([]);

    // The customer first, then the assistant's answer.
    await expect.poll(() => heard.customerMs, POLL).toBeGreaterThan(500);
    await page.getByTestId('live-turns').getByText('We open at nine').first().waitFor({ timeout: 60_000 });
    expect(heard.loudMs - heard.customerMs).toBeGreaterThan(1000);
    expect(Number(await panel.getAttribute('data-played-ms'))).toBeGreaterThan(1000);
    expect(prompts.at(-1)).toContain(WHISPER);
    expect((await detail(callId)).transcript).not.toContain('discount');

    await page.getByTestId('take-over').click();
    await expect.poll(stage, POLL).toBe('talking');
    expect(await accessibilityFaults(page)).toEqual([]);
    const asked = prompts.length;
    await expect.poll(() => happened(callId), POLL).toContain('taken_over');
    await expect.poll(() => heard.sentMs, POLL).toBeGreaterThan(6000);
    expect(prompts.length).toBe(asked);
    expect(await tryToLeave(page)).toContain('the assistant takes the call back');
    expect(await stage()).toBe('talking');
    await page.getByTestId('give-back').click();
    await expect.poll(() => prompts.length, POLL).toBeGreaterThan(asked);
    expect(prompts.at(-1)).toContain('a colleague has talked to the caller');
    await expect.poll(stage, POLL).toBe('listening');

    await page.getByTestId('hang-up').click();
    await page.getByTestId('hang-up-confirm').click();
    await waitForCall(installation, callId, ({ status }) => status === 'completed');
    const sound = async () => (await carrier.log()).find(({ event }) => event === 'sound');
    await expect.poll(sound, POLL).toBeDefined();
    const tones = (await sound())?.['tonesMs'] as Record<string, number>;
    expect(tones[OPERATOR_HZ]).toBeGreaterThan(500);

    const events = (await detail(callId)).events;
    expect(events.find(({ type }) => type === 'whispered')?.detail).toEqual({ text: WHISPER });
    expect(events.find(({ type }) => type === 'given_back')?.detail).toEqual({ reason: 'operator' });
    const { data } = (await installation.request('GET', '/api/user/audit-log')) as {
      data: { operation: string; object_id: number | null }[];
    };
    const audited = data
      .filter((entry) => entry.object_id === callId && entry.operation.startsWith('calls.'))
      .map(({ operation }) => operation);
    expect(audited.toSorted()).toEqual([
      'calls.hangUp',
      'calls.listen',
      'calls.listen',
      'calls.takeOver',
      'calls.whisper',
    ]);
  });
});
