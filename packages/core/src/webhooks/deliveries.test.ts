import { Webhook } from 'standardwebhooks';
import { statement, type DeliveryRow } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, endOf, makeAnsweredCall, waitingJobs } from '../../test/arrange.ts';
import { completeCall } from '../calls/complete-call.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from '../calls/finish-call.ts';
import { findAssistant } from '../assistants/find-assistant.ts';
import { nextDelivery } from './next-delivery.ts';
import { recordDeliveryAttempt, type DeliveryAttemptInput } from './record-delivery-attempt.ts';

const database = useTestDatabase();

const selectDelivery = statement<DeliveryRow>(
  'test_delivery_of_call',
  'select * from deliveries where call_id = $1',
);
const selectSecret = statement<{ sealed: string }>(
  'test_sealed',
  'select webhook_secret_sealed as sealed from users where id = $1',
);

async function setup() {
  const about = await arrange(database.db, { is_webhook_active: true, webhook_url: 'https://a.test/hook' });
  const { ctx, identity, clock } = about;
  const callId = await makeAnsweredCall(about);
  await finishCall(ctx, endOf(about, callId));
  await completeCall(ctx, callId);
  const deliveryId = (await ctx.db.query(selectDelivery, [callId]))[0]?.id ?? '';
  const report = (attempt: number, outcome: DeliveryAttemptInput['outcome']) =>
    recordDeliveryAttempt(ctx, { deliveryId, attempt, at: new Date(clock.now()), durationMs: 12, outcome });
  const answer = (attempt: number, status: number, body = 'ok') =>
    report(attempt, { status, headers: { server: 'x' }, body });
  return { ...about, callId, deliveryId, report, answer, detail: () => findCall(ctx, identity, callId) };
}

describe('a webhook to deliver', () => {
  it('is signed so that the official library accepts it', async () => {
    const { ctx, clock, identity, callId, deliveryId } = await setup();
    const due = await nextDelivery(ctx, deliveryId);
    if (!due) throw new Error('Nothing is due');
    expect(due).toMatchObject({ id: deliveryId, url: 'https://a.test/hook', attempt: 1 });
    expect(due.headers).toMatchObject({
      'webhook-id': deliveryId,
      'webhook-timestamp': String(clock.now() / 1000),
    });
    expect(JSON.parse(due.body)).toMatchObject({ event: 'call.finished', id: callId });
    const [user] = await ctx.db.query(selectSecret, [identity.userId]);
    const secret = ctx.secretBox.open(user?.sealed ?? '');
    expect(secret).toMatch(/^whsec_/);
    expect(new Webhook(secret).sign(deliveryId, new Date(clock.now()), due.body)).toBe(
      due.headers['webhook-signature'],
    );
  });

  it('that was switched off meanwhile is not sent any more', async () => {
    const { ctx, assistant, deliveryId, detail } = await setup();
    await ctx.db.query(
      statement('test_switch_off', 'update assistants set is_webhook_active = false where id = $1'),
      [assistant.id],
    );
    expect(await nextDelivery(ctx, deliveryId)).toBeNull();
    expect((await detail()).webhook_deliveries).toMatchObject([
      { status: 'disabled', next_attempt_at: null },
    ]);
  });

  it('that does not exist is nothing to deliver', async () => {
    const { ctx } = await setup();
    expect(await nextDelivery(ctx, '00000000-0000-0000-0000-000000000000')).toBeNull();
  });
});

describe('an attempt', () => {
  it('with success ends the delivery, and its answer stands on the call', async () => {
    const { ctx, deliveryId, answer, detail } = await setup();
    expect(await answer(1, 204, 'thanks')).toEqual({ status: 'delivered' });
    expect(await nextDelivery(ctx, deliveryId)).toBeNull();
    expect(await detail()).toMatchObject({
      webhook_response: { status: 204, body: 'thanks' },
      webhook_deliveries: [
        { status: 'delivered', attempts: [{ number: 1, status: 204, response_body: 'thanks', error: null }] },
      ],
    });
  });

  it('without an answer is made again later, under the same id', async () => {
    const { ctx, clock, deliveryId, report, detail } = await setup();
    const state = await report(1, { error: 'connection refused' });
    if (state.status !== 'pending') throw new Error('The delivery was given up');
    const waitMs = state.nextAttemptAt.getTime() - clock.now();
    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThanOrEqual(6_000);
    expect(await nextDelivery(ctx, deliveryId)).toMatchObject({ id: deliveryId, attempt: 2 });
    expect(await waitingJobs(ctx, 'deliver_webhook', { deliveryId })).toBe(2);
    expect(await detail()).toMatchObject({
      webhook_response: { status: null, error: 'connection refused' },
      webhook_deliveries: [
        { status: 'pending', attempts: [{ status: null, response_body: null, error: 'connection refused' }] },
      ],
    });
  });

  it('is counted once, however often it is reported', async () => {
    const { answer, detail } = await setup();
    await Promise.all(Array.from({ length: 5 }, () => answer(1, 500)));
    expect((await detail()).webhook_deliveries[0]?.attempts).toHaveLength(1);
    expect((await answer(1, 200)).status).toBe('pending');
    expect((await answer(3, 200)).status).toBe('pending');
    expect(await answer(2, 200)).toEqual({ status: 'delivered' });
  });

  it('after nine failures nothing more is sent', async () => {
    const { ctx, deliveryId, answer } = await setup();
    for (let attempt = 1; attempt <= 8; attempt++)
      expect((await answer(attempt, 500)).status).toBe('pending');
    expect(await answer(9, 500)).toEqual({ status: 'failed' });
    expect(await nextDelivery(ctx, deliveryId)).toBeNull();
  });

  it('answered with 410 switches the webhook off', async () => {
    const { ctx, identity, assistant, answer } = await setup();
    expect(await answer(1, 410)).toEqual({ status: 'disabled' });
    expect(await findAssistant(ctx, identity, assistant.id)).toMatchObject({ is_webhook_active: false });
  });

  it('answered with 410 by an address that was replaced meanwhile switches nothing off', async () => {
    const { ctx, identity, assistant, answer } = await setup();
    await ctx.db.query(
      statement('test_replace', `update assistants set webhook_url = 'https://b.test/' where id = $1`),
      [assistant.id],
    );
    await answer(1, 410);
    expect(await findAssistant(ctx, identity, assistant.id)).toMatchObject({ is_webhook_active: true });
  });

  it('keeps 64 KiB of an answer, without what Postgres cannot store', async () => {
    const { answer, detail } = await setup();
    await answer(1, 200, `\0${'ä'.repeat(50_000)}`);
    const body = (await detail()).webhook_response['body'];
    expect(body).toBe('ä'.repeat(32_767));
  });
});
