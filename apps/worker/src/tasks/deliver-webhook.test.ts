import { findCall } from '@parley/core';
import { callFinishedPayload } from '@parley/contracts';
import { statement } from '@parley/db';
import { startWebhookReceiver, useTestDatabase } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import { arrange, finishTestCall, takeJobs, waitingJobs } from '../../test/arrange.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { evaluateCall } from './evaluate-call.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const findDelivery = statement<{ id: string }>(
  'test_find_delivery',
  'select id from deliveries where call_id = $1',
);
const findSecret = statement<{ webhookSecretSealed: string }>(
  'test_find_secret',
  'select webhook_secret_sealed from users where id = $1',
);

/** A finished call whose webhook waits to be delivered to a receiver. */
async function setup() {
  const receiver = await startWebhookReceiver();
  const assistant = { is_webhook_active: true, webhook_url: receiver.url };
  const arrangement = await arrange(database.db, { assistant });
  undo.push(arrangement.close, receiver.close);
  const callId = await finishTestCall(arrangement);
  await evaluateCall(arrangement.worker, { callId });
  const [delivery] = await database.db.query(findDelivery, [callId]);
  const [user] = await database.db.query(findSecret, [arrangement.identity.userId]);
  const deliveryId = delivery?.id ?? '';
  const secret = arrangement.core.secretBox.open(user?.webhookSecretSealed ?? '');
  return { ...arrangement, receiver, callId, deliveryId, secret };
}

test('the receiver gets the call, signed so that the official library accepts it', async () => {
  const { worker, receiver, callId, deliveryId, secret } = await setup();
  await deliverWebhook(worker, { deliveryId });
  const received = await receiver.request(1);
  const verified = callFinishedPayload.parse(new Webhook(secret).verify(received.body, received.headers));
  expect(verified).toMatchObject({
    event: 'call.finished',
    id: callId,
    status: 'completed',
    transcript: 'AI: Hello.',
  });
  expect(received.headers['webhook-id']).toBe(deliveryId);
});

test('the answer stands on the call', async () => {
  const { worker, core, identity, receiver, callId, deliveryId } = await setup();
  receiver.answerNext({ status: 200, body: '{"lead":7}' });
  await deliverWebhook(worker, { deliveryId });
  expect((await findCall(core, identity, callId)).webhook_response).toMatchObject({ status: 200 });
});

test('a receiver that fails gets it again later, with the same id', async () => {
  const { worker, receiver, deliveryId } = await setup();
  await takeJobs(database.db);
  receiver.answerNext({ status: 500 });
  await deliverWebhook(worker, { deliveryId });
  expect(await waitingJobs(database.db, 'deliver_webhook', { deliveryId })).toHaveLength(1);
  await deliverWebhook(worker, { deliveryId });
  const ids = receiver.requests.map((request) => request.headers['webhook-id']);
  expect(ids).toEqual([deliveryId, deliveryId]);
});

test('a delivered webhook is not sent again, however often the job runs', async () => {
  const { worker, receiver, deliveryId } = await setup();
  for (let run = 0; run < 3; run++) await deliverWebhook(worker, { deliveryId });
  expect(receiver.requests).toHaveLength(1);
});

test('a receiver that is gone ends the deliveries', async () => {
  const { worker, receiver, deliveryId } = await setup();
  await takeJobs(database.db);
  receiver.answerNext({ status: 410 });
  await deliverWebhook(worker, { deliveryId });
  await deliverWebhook(worker, { deliveryId });
  expect(receiver.requests).toHaveLength(1);
  expect(await waitingJobs(database.db, 'deliver_webhook', { deliveryId })).toEqual([]);
});
