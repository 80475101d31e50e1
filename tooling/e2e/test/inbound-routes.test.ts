/**
 * The rules of a number, over real SIP and RTP: a closed message, voicemail whose recording reaches a webhook endpoint, a choice
 * of the assistant by key, and calls that are refused; and the form for them.
 */
import { rmsDbfs } from '@parley/audio';
import { webhookPayloads } from '@parley/contracts';
import type { Phone, Step } from '@parley/phones';
import { startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../src/accessibility.ts';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { waitForCall, type CallDetail } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { startStranger } from '../src/stranger.ts';

/** Number of the inbound demo assistant of a fresh installation. */
const DEMO_NUMBER = '+12025550101';

let installation: Installation;
let phone: Phone;
let receiver: WebhookReceiver;
let assistantId: number;
let numberId: number;
let callers = 0;

beforeAll(async () => {
  installation = await startInstallation({ environment: { WEBHOOK_ALLOW_PRIVATE: 'loopback' } });
  phone = await startStranger();
  receiver = await startWebhookReceiver();
  const assistants = (await installation.request('GET', '/api/user/assistants')) as Row[];
  assistantId = assistants.find(({ type }) => type === 'inbound')?.id ?? 0;
  const numbers = (await installation.request('GET', '/api/user/phone-numbers')) as Row[];
  numberId = numbers.find(({ phone_number: number }) => number === DEMO_NUMBER)?.id ?? 0;
});

afterAll(async () => {
  await receiver?.close();
  await phone?.stop();
  await installation?.stop();
});

interface Row {
  id: number;
  type?: string;
  phone_number?: string;
  inbound_route?: unknown;
}

async function route(
  otherwise: Record<string, unknown>,
  queue: Record<string, unknown> | null = null,
): Promise<void> {
  const path = `/api/user/phone-numbers/${numberId}/inbound-route`;
  await installation.request('PUT', path, { timezone: 'UTC', rules: [], otherwise, queue });
}

function ring(script: Step[]) {
  callers += 1;
  const from = `+1202555013${callers}`;
  const person = phone.call({
    to: DEMO_NUMBER,
    from,
    host: '127.0.0.1',
    port: installation.sipPort,
    transport: 'tcp',
    script,
  });
  const record = async (condition: (call: CallDetail) => boolean): Promise<CallDetail> => {
    const path = `/api/user/calls?phone_number=${encodeURIComponent(from)}`;
    const list = (await installation.request('GET', path)) as { data: Row[] };
    expect(list.data).toHaveLength(1);
    return waitForCall(installation, list.data[0]?.id ?? 0, condition);
  };
  return { person, record };
}

const isCompleted = ({ status }: CallDetail): boolean => status === 'completed';
const routedBy = ({ events }: CallDetail): unknown => events.find(({ type }) => type === 'routed')?.detail;

it('speaks the message of the hour and hangs up', async () => {
  await route({ type: 'message', assistant_id: assistantId, text: 'We are closed now.' });
  const { person, record } = ring([{ do: 'wait', ms: 30_000 }]);
  await person.answered;
  await person.ended;
  expect(rmsDbfs(person.heard())).toBeGreaterThan(-40);
  const call = await record(isCompleted);
  expect(call).toMatchObject({ ended_reason: 'route_message', transcript: 'AI: We are closed now.' });
  expect(routedBy(call)).toEqual({ rule: null, action: 'message' });
});

it('records a message and sends its recording to a webhook endpoint', async () => {
  const endpoint = (await installation.request('POST', '/api/user/webhook-endpoints', {
    url: receiver.url,
    events: ['voicemail.received'],
  })) as { data: { secret: string } };
  await route({ type: 'voicemail', assistant_id: assistantId, text: 'Please leave a message.' });
  const { person, record } = ring([
    { do: 'listen', pauseMs: 700, patienceMs: 30_000 },
    { do: 'say', line: 'Please call me back tomorrow.' },
    { do: 'wait', ms: 1_500 },
    { do: 'press', keys: '#' },
    { do: 'wait', ms: 30_000 },
  ]);
  await person.ended;
  const { body, headers } = await receiver.request(1);
  const payload = webhookPayloads['voicemail.received'].parse(
    new Webhook(endpoint.data.secret).verify(body, headers),
  );
  const call = await record(isCompleted);
  expect(call).toMatchObject({ id: payload.call_id, ended_reason: 'message_taken' });
  expect(call.turns.map(({ sender }) => sender)).toContain('human');
  const recording = await fetch(payload.recording_url);
  expect(recording.status).toBe(200);
  // Two channels of 16 bits at 8000 Hz: at least the greeting and the message.
  expect((await recording.arrayBuffer()).byteLength).toBeGreaterThan(3 * 32_000);
});

it('connects the caller with the assistant of the key', async () => {
  const { data: other } = (await installation.request(
    'POST',
    `/api/user/assistant`,
    await otherAssistant(),
  )) as { data: Row };
  await route({
    type: 'menu',
    assistant_id: assistantId,
    text: 'For English press one, for German press two.',
    choices: [
      { key: '1', assistant_id: assistantId },
      { key: '2', assistant_id: other.id },
    ],
  });
  const { person, record } = ring([
    { do: 'listen-into', speechMs: 400, patienceMs: 30_000 },
    { do: 'press', keys: '2' },
    { do: 'listen', pauseMs: 1_000, patienceMs: 30_000 },
    { do: 'hang-up' },
  ]);
  await person.ended;
  const call = await record(isCompleted);
  expect(routedBy(call)).toEqual({ rule: null, action: 'menu' });
  expect(call.transcript).toContain('AI: Guten Tag.');
});

async function otherAssistant(): Promise<Record<string, unknown>> {
  const voices = (await installation.request('GET', '/api/user/assistants/voices?mode=pipeline')) as Row[];
  const models = (await installation.request('GET', '/api/user/assistants/models')) as { name: string }[];
  const languages = (await installation.request('GET', '/api/user/assistants/languages')) as {
    name: string;
  }[];
  return {
    assistant_name: 'Otto',
    voice_id: voices[0]?.id,
    language: languages[0]?.name,
    llm_model: models[0]?.name,
    calls_direction: 'receive',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Guten Tag.',
    system_prompt: 'You test a telephone.',
  };
}

it('lets callers wait with music until a conversation is free, and refuses them when the queue is full', async () => {
  const queue = {
    max_calls: 1,
    max_waiting: 1,
    text: 'You are number {{queue_position}} in the queue.',
    overflow: { type: 'reject' },
  };
  await route({ type: 'assistant', assistant_id: assistantId }, queue);
  const first = ring([{ do: 'wait', ms: 60_000 }]);
  await first.person.answered;
  await first.record(({ status }) => status === 'in-progress');
  const second = ring([
    { do: 'listen-into', speechMs: 400, patienceMs: 30_000 },
    { do: 'wait', ms: 60_000 },
  ]);
  await second.person.answered;
  await second.record(({ events }) => events.some(({ type }) => type === 'queue_answered'));
  expect((await ring([]).person.ended).sipStatus).toBe(486);
  await first.person.leg.hangUp();
  const connected = await second.record(({ status }) => status === 'in-progress');
  expect(connected.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['queued', 'queue_answered', 'queue_left', 'answered']),
  );
  expect(rmsDbfs(second.person.heard())).toBeGreaterThan(-40);
  await second.person.leg.hangUp();
  await second.record(isCompleted);
});

it('refuses calls with the busy signal', async () => {
  await route({ type: 'reject' });
  const end = await ring([]).person.ended;
  expect(end.sipStatus).toBe(486);
});

describe.skipIf(isBrowserMissing)('the form of the admin app', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });

  afterAll(() => browser?.close());

  it('sets the rules of a number, shows them in sentences, and removes them', async () => {
    await removeRoute();
    const page = await (await browser.newContext()).newPage();
    await signInAsOperator(page, installation);
    await page.goto(`${installation.baseUrl}/admin/trunks`);
    const open = page.getByRole('button', { name: `Route calls to ${DEMO_NUMBER}` });
    await open.click();
    await page.getByTestId('route-save').click();
    await page.getByText('Fill in this field.').waitFor();
    await page.getByLabel('Greeting').fill('Please leave a message.');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByTestId('route-save').click();
    await page.getByTestId('route-save').waitFor({ state: 'detached' });

    await open.click();
    const summary = page.getByTestId('route-summary');
    await summary.getByText(/^Monday to Friday, 9:00\sAM–5:00\sPM: /).waitFor();
    await summary.getByText('Otherwise: Voicemail').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await storedRoute()).toMatchObject({ rules: [{ from: '09:00:00', until: '17:00:00' }] });

    await page.getByTestId('route-remove').click();
    await page.getByTestId('route-remove-confirm').click();
    await page.getByTestId('route-save').waitFor({ state: 'detached' });
    expect(await storedRoute()).toBeNull();
  });
});

async function removeRoute(): Promise<void> {
  await installation.request('DELETE', `/api/user/phone-numbers/${numberId}/inbound-route`);
}

async function storedRoute(): Promise<unknown> {
  const numbers = (await installation.request('GET', '/api/user/phone-numbers')) as Row[];
  return numbers.find(({ id }) => id === numberId)?.inbound_route;
}
