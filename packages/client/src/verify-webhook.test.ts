import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, webhookIdOf, WebhookRefusedError } from './index.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another secret, also long').toString('base64')}`;

const incoming = { event: 'call.incoming', call_id: 5, customer_phone: '+1202', assistant_phone: '+1203' };

/** A webhook in the form in which the api sends it. */
function setup(payload: unknown = incoming, sentAt = new Date(), secret = SECRET) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const signature = new Webhook(secret).sign('msg_1', sentAt, body);
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': signature,
  };
  return { body, headers };
}

test('a signed webhook is parsed', () => {
  const event = verifyWebhook(setup(), SECRET);
  expect(event).toEqual(incoming);
  if (event.event === 'call.incoming') expect(event.customer_phone).toBe('+1202');
});

test('headers may be those of fetch, the body bytes', () => {
  const { body, headers } = setup();
  const request = { headers: new Headers(headers), body: new TextEncoder().encode(body) };
  expect(verifyWebhook(request, SECRET)).toEqual(incoming);
  expect(webhookIdOf(request)).toBe('msg_1');
});

test('during a rotation both secrets are valid', () => {
  expect(verifyWebhook(setup(incoming, new Date(), OTHER), [SECRET, OTHER])).toEqual(incoming);
});

test('additional fields are accepted at any depth', () => {
  const campaign = { id: 1, name: 'Autumn', colour: 'red' };
  const finished = {
    event: 'call.finished',
    id: 5,
    customer_phone: '',
    assistant_phone: '',
    duration: 1,
    status: 'completed',
    assistant_id: 4,
    campaign_id: 2,
    ended_reason: 'customer_hung_up',
    outcome: 'talked',
    disposition: null,
    extracted_variables: {},
    evaluation: {},
    input_variables: {},
    transcript: '',
    turns: [],
    created_at: '2026-01-31T09:05:00.000000Z',
    finished_at: '2026-01-31T09:05:01.000000Z',
    carrier_cost: 0,
    total_cost: 0,
    lead: null,
    campaign,
    mood: 'good',
  };
  expect(verifyWebhook(setup(finished), SECRET)).toMatchObject({ campaign, mood: 'good' });
});

const longAgo = new Date(Date.now() - 6 * 60_000);

test.each([
  { name: 'another secret', request: setup(incoming, new Date(), OTHER) },
  { name: 'a changed body', request: { ...setup(), body: JSON.stringify({ ...incoming, call_id: 6 }) } },
  { name: 'no headers', request: { ...setup(), headers: {} } },
  { name: 'a replay after six minutes', request: setup(incoming, longAgo) },
  { name: 'an unknown event', request: setup({ event: 'call.sneezed' }) },
  { name: 'a missing field', request: setup({ ...incoming, call_id: undefined }) },
  { name: 'not an object', request: setup('null') },
  { name: 'not JSON', request: setup('{') },
])('$name is refused', ({ request }) => {
  expect(() => verifyWebhook(request, SECRET)).toThrow(WebhookRefusedError);
});

test('an empty list of secrets is refused', () => {
  expect(() => verifyWebhook(setup(), [])).toThrow(WebhookRefusedError);
});
