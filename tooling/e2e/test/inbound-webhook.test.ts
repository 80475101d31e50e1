/**
 * The owner's server receives a webhook while a call rings, and its answer determines the greeting. Whatever it does
 * instead of answering, the caller is answered.
 */
import { callIncomingPayload } from '@parley/contracts';
import type { Phone } from '@parley/phones';
import { startWebhookReceiver, type WebhookAnswer, type WebhookReceiver } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { waitForCall, type CallDetail } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { startStranger } from '../src/stranger.ts';

/** Number of the inbound demo assistant of a fresh installation. */
const DEMO_NUMBER = '+12025550101';

let installation: Installation;
let phone: Phone;
let receiver: WebhookReceiver;
let assistantId: number;
let callers = 0;

beforeAll(async () => {
  installation = await startInstallation({ environment: { WEBHOOK_ALLOW_PRIVATE: 'loopback' } });
  phone = await startStranger();
  const assistants = (await installation.request('GET', '/api/user/assistants')) as {
    id: number;
    type: string;
  }[];
  assistantId = assistants.find(({ type }) => type === 'inbound')?.id ?? 0;
});

afterAll(async () => {
  await phone?.stop();
  await installation?.stop();
});

beforeEach(async () => {
  receiver = await startWebhookReceiver();
  await installation.request('PUT', `/api/user/assistant/${assistantId}`, {
    inbound_webhook_url: receiver.url,
    initial_message: 'Hello {{name}}, how can I help you?',
    variables: { name: 'stranger' },
  });
});

afterEach(() => receiver.close());

function ring() {
  callers += 1;
  return phone.call({
    to: DEMO_NUMBER,
    from: `+1202555012${callers}`,
    host: '127.0.0.1',
    port: installation.sipPort,
    transport: 'tcp',
    script: [{ do: 'listen', pauseMs: 700, patienceMs: 60_000 }, { do: 'hang-up' }],
  });
}

interface Incoming {
  callId: number;
  request: WebhookReceiver['requests'][number];
}

async function incoming(): Promise<Incoming> {
  const request = await receiver.request(1);
  return { callId: callIncomingPayload.parse(JSON.parse(request.body)).call_id, request };
}

/** Everything that was sent about a call, as the log has it. */
async function deliveriesOf(callId: number): Promise<{ event: string; status: string; id: string }[]> {
  const path = `/api/user/webhook-deliveries?call_id=${callId}`;
  return (
    (await installation.request('GET', path)) as { data: { event: string; status: string; id: string }[] }
  ).data;
}

/** Rings, has the server answer in some way, and talks to the end. */
async function callWith(answer: WebhookAnswer): Promise<CallDetail & Incoming> {
  receiver.answerNext(answer);
  const person = ring();
  const asked = await incoming();
  await person.answered;
  await person.ended;
  const call = await waitForCall(installation, asked.callId, ({ status }) => status === 'completed');
  return { ...call, ...asked };
}

it('greets with the variables that the server gives, and tells it the end too', async () => {
  const { callId, request, transcript, ...call } = await callWith({
    status: 200,
    body: '{"variables":{"name":"Ada"}}',
  });
  const secret = await installation.cli(['webhook-secret', installation.email]);
  const payload = callIncomingPayload.parse(new Webhook(secret).verify(request.body, request.headers));
  expect(payload).toMatchObject({ call_id: callId, assistant_phone: DEMO_NUMBER });
  expect(payload.customer_phone).toMatch(/^\+1202555012\d$/);
  expect(transcript).toMatch(/^AI: Hello Ada, how can I help you\?/);
  expect(call).toMatchObject({ input_variables: { name: 'Ada' } });

  const end = await receiver.request(2);
  expect(new Webhook(secret).verify(end.body, end.headers)).toMatchObject({
    event: 'call.finished',
    id: callId,
    input_variables: { name: 'Ada' },
  });
  const log = await deliveriesOf(callId);
  expect(log.map(({ event }) => event)).toEqual(['call.finished', 'call.incoming']);
  expect(log[1]).toMatchObject({ status: 'delivered', id: request.headers['webhook-id'] });
});

it.each<[string, WebhookAnswer]>([
  ['never answers', { behaviour: 'hang' }],
  ['answers without end', { behaviour: 'drip' }],
  ['answers 1 GB', { behaviour: 'flood', bytes: 1e9 }],
  ['hangs up', { behaviour: 'disconnect' }],
  ['fails', { status: 500, body: '{"variables":{"name":"Mallory"}}' }],
  ['answers nonsense', { status: 200, body: '{"variables":"Mallory' }],
])('answers the caller although the server %s', async (_how, answer) => {
  const { transcript } = await callWith(answer);
  expect(transcript).toMatch(/^AI: Hello stranger, how can I help you\?/);
});

it('ends the question when the caller hangs up meanwhile', async () => {
  receiver.answerNext({ behaviour: 'hang' });
  const person = ring();
  const { callId } = await incoming();
  await person.leg.hangUp();
  await waitForCall(installation, callId, ({ status }) => status === 'failed');
  const log = await deliveriesOf(callId);
  const { id } = log.find(({ event }) => event === 'call.incoming') ?? { id: '' };
  const asked = (await installation.request('GET', `/api/user/webhook-deliveries/${id}`)) as {
    attempts: { error: string }[];
  };
  expect(asked.attempts).toMatchObject([{ error: 'The request was given up' }]);
});
