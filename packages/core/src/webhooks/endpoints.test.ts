/** Webhook endpoints: who may have how many, what is sent to them, and what switches them off. */
import { endpointChangesBody, webhookTestPayload } from '@parley/contracts';
import { startWebhookReceiver, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { answered } from '../../test/arrange-webhooks.ts';
import { subscribe } from '../../test/arrange-endpoints.ts';
import {
  arrange,
  CLAIMER,
  claimDelivery,
  endOf,
  makeAnsweredCall,
  makeAssistant,
  makeDialedCall,
  makeUser,
} from '../../test/arrange.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import {
  changeEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  rotateEndpointSecret,
} from './endpoints.ts';
import { findDelivery, listDeliveries } from './list-deliveries.ts';
import { recordDeliveryAttempts } from './record-delivery-attempts.ts';
import { resendDelivery } from './resend-delivery.ts';
import { testEndpoint } from './send-test-event.ts';
import { webhookHeaders } from './sign-webhook.ts';

const database = useTestDatabase();

async function setup(fields: Record<string, unknown> = {}) {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const endpoint = await subscribe(about, { events: ['call.started', 'call.ended'], ...fields });
  const change = (changes: Record<string, unknown>) =>
    changeEndpoint(ctx, identity, { id: endpoint.id, changes: endpointChangesBody.parse(changes) });
  /** @returns the delivery of a call that was just dialed */
  const announce = async (): Promise<string> => {
    const before = new Set((await endpoint.rows()).map(({ id }) => id));
    await makeDialedCall(about);
    const [made] = (await endpoint.rows()).filter(({ id }) => !before.has(id));
    return made?.id ?? '';
  };
  const answer = async (id: string, status: number) => {
    const delivery = await claimDelivery(ctx, id);
    if (!delivery) throw new Error('It is not due');
    const attempt = { delivery, at: new Date(ctx.clock.now()), durationMs: 1, outcome: answered(status) };
    await recordDeliveryAttempts(ctx, CLAIMER, [attempt]);
    return findDelivery(ctx, identity, id);
  };
  return { ...about, about, endpoint, change, announce, answer };
}

describe('an endpoint', () => {
  it('is one of at most 20 of an account, also when they are created at once', async () => {
    const { about, ctx, identity } = await setup();
    const made = await Promise.allSettled(Array.from({ length: 25 }, () => subscribe(about)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    for (const error of refused) expect(error).toMatchObject({ kind: 'conflict' });
    expect(await listEndpoints(ctx, identity)).toHaveLength(20);
  });

  it('belongs to one user, and filters only by assistants and campaigns of that user', async () => {
    const { about, ctx, endpoint, change, assistant } = await setup();
    const other = await makeUser(ctx);
    await expect(findEndpoint(ctx, other, endpoint.id)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(deleteEndpoint(ctx, other, endpoint.id)).rejects.toMatchObject({ kind: 'not-found' });
    const { id: foreign } = await makeAssistant(ctx, other);
    await expect(change({ assistant_ids: [assistant.id, foreign] })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { assistant_ids: ['The selected assistant ids is invalid.'] },
    });
    await expect(subscribe(about, { campaign_ids: [999_999] })).rejects.toMatchObject({
      fields: { campaign_ids: expect.any(Array) },
    });
    expect(await change({ assistant_ids: [assistant.id, assistant.id] })).toMatchObject({
      assistant_ids: [assistant.id],
      events: ['call.started', 'call.ended'],
    });
  });

  it('has a secret of its own; both sign while it is being replaced', async () => {
    const { ctx, clock, identity, endpoint, announce } = await setup();
    const first = await claimDelivery(ctx, await announce());
    const at = new Date(clock.now());
    const signed = (delivery: typeof first, secrets: string[]) =>
      webhookHeaders({ id: delivery?.id ?? '', body: delivery?.body ?? '', at }, secrets);
    expect(first?.headers).toEqual(signed(first, [endpoint.secret ?? '']));
    const rotated = await rotateEndpointSecret(ctx, identity, { id: endpoint.id, keepOldForHours: 1 });
    expect(rotated.old_prefix).toBe(endpoint.secret?.slice(0, 12));
    const second = await claimDelivery(ctx, await announce());
    expect(second?.headers).toEqual(signed(second, [rotated.secret ?? '', endpoint.secret ?? '']));
  });
});

describe('a delivery to an endpoint', () => {
  it('is in the log with its endpoint, is retried, and can be sent again', async () => {
    const { ctx, identity, endpoint, announce, answer } = await setup();
    const id = await announce();
    expect(await answer(id, 500)).toMatchObject({ status: 'pending', attempt_count: 1, last_status: 500 });
    const page = { page: 1, perPage: 10 };
    expect(await listDeliveries(ctx, identity, { ...page, endpointId: endpoint.id })).toMatchObject({
      total: 1,
      rows: [{ id, target: 'endpoint', endpoint_id: endpoint.id, event: 'call.started' }],
    });
    await resendDelivery(ctx, identity, id);
    expect(await answer(id, 204)).toMatchObject({ status: 'delivered', attempt_count: 2 });
    await resendDelivery(ctx, identity, id);
    expect(await answer(id, 204)).toMatchObject({ status: 'delivered', attempt_count: 3 });
  });

  it('goes to the new address, and nowhere once the endpoint is off or deleted', async () => {
    const { ctx, identity, endpoint, change, announce } = await setup();
    const id = await announce();
    await change({ url: 'https://moved.test/hook' });
    expect((await claimDelivery(ctx, id))?.url).toBe('https://moved.test/hook');
    const [off, gone] = [await announce(), await announce()];
    await change({ is_enabled: false });
    expect(await findDelivery(ctx, identity, off)).toMatchObject({
      status: 'disabled',
      reason: 'switched_off',
    });
    await expect(resendDelivery(ctx, identity, off)).rejects.toMatchObject({ kind: 'conflict' });
    await change({ is_enabled: true });
    await resendDelivery(ctx, identity, gone);
    await deleteEndpoint(ctx, identity, endpoint.id);
    expect(await findDelivery(ctx, identity, gone)).toMatchObject({
      status: 'disabled',
      endpoint_id: endpoint.id,
    });
    await expect(resendDelivery(ctx, identity, gone)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('that is answered with 410 switches the endpoint off', async () => {
    const { ctx, identity, endpoint, announce, answer } = await setup();
    const [id, waiting] = [await announce(), await announce()];
    expect(await answer(id, 410)).toMatchObject({ status: 'disabled', reason: 'gone' });
    expect(await findEndpoint(ctx, identity, endpoint.id)).toMatchObject({ is_enabled: false });
    expect(await findDelivery(ctx, identity, waiting)).toMatchObject({ status: 'disabled' });
  });

  it('waits for earlier events of its call to the same endpoint only', async () => {
    const { about, ctx, clock, endpoint } = await setup();
    const other = await subscribe(about, { events: ['call.ended'], url: 'https://other.test/hook' });
    const callId = await makeAnsweredCall(about);
    clock.advance(1000);
    await finishCall(ctx, endOf(about, callId));
    const [started, ended] = await endpoint.rows();
    const [reported] = await other.rows();
    expect([started?.event, ended?.event, reported?.event]).toEqual([
      'call.started',
      'call.ended',
      'call.ended',
    ]);
    expect(await claimDelivery(ctx, ended?.id ?? '')).toBeNull();
    expect(await claimDelivery(ctx, reported?.id ?? '')).not.toBeNull();
  });
});

describe('a test event', () => {
  it('is signed with the secret of the endpoint, also while that is off, and its answer is returned', async () => {
    const receiver = await startWebhookReceiver();
    const { ctx, clock, identity, endpoint } = await setup({ url: receiver.url, is_enabled: false });
    const local = { ...ctx, allowPrivateWebhooks: 'loopback' as const };
    const result = await testEndpoint(local, identity, endpoint.id);
    expect(result).toMatchObject({ status: 200, error: null, url: receiver.url });
    expect(webhookTestPayload.parse(result.payload)).toMatchObject({
      endpoint_id: endpoint.id,
      assistant_id: null,
    });
    const { headers, body } = await receiver.request(1);
    const at = new Date(clock.now());
    const secret = endpoint.secret ?? '';
    expect(headers).toMatchObject(webhookHeaders({ id: headers['webhook-id'] ?? '', body, at }, [secret]));
    // Only operators may reach addresses that are not public.
    const member = { ...identity, role: 'member' as const };
    expect(await testEndpoint(local, member, endpoint.id)).toMatchObject({
      status: null,
      error: expect.any(String),
    });
    expect(receiver.requests).toHaveLength(1);
    await receiver.close();
  });
});
