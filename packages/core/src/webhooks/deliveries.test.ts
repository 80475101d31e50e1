import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { claimDelivery } from '../../test/arrange.ts';
import { answered, arrangeWebhooks } from '../../test/arrange-webhooks.ts';
import { findAssistant } from '../assistants/find-assistant.ts';
import { switchWebhook } from '../assistants/switch-webhooks.ts';
import { findCall } from '../calls/find-call.ts';
import { revealWebhookSecret } from '../users/find-user.ts';

const database = useTestDatabase();

/** One webhook that is due. */
async function setup() {
  const about = await arrangeWebhooks(database.db);
  const id = await about.announce();
  const { callId } = await about.row(id);
  return { ...about, id, detail: () => findCall(about.ctx, about.identity, callId ?? 0) };
}

describe('a webhook to deliver', () => {
  it('is signed so that the official library accepts it', async () => {
    const { ctx, clock, identity, id, url } = await setup();
    const due = await claimDelivery(ctx, id);
    if (!due) throw new Error('Nothing is due');
    expect(due).toMatchObject({ id, url, attemptCount: 0 });
    expect(due.headers).toMatchObject({
      'webhook-id': id,
      'webhook-timestamp': String(clock.now() / 1000),
    });
    expect(JSON.parse(due.body)).toMatchObject({ event: 'call.finished' });
    const secret = await revealWebhookSecret(ctx, identity.userId);
    expect(secret).toMatch(/^whsec_/);
    expect(due.headers['webhook-signature']).toBe(
      new Webhook(secret).sign(id, new Date(clock.now()), due.body),
    );
  });

  it('is claimed once', async () => {
    const { ctx, id } = await setup();
    expect(await claimDelivery(ctx, id)).not.toBeNull();
    expect(await claimDelivery(ctx, id)).toBeNull();
  });

  it('whose webhook was switched off unnoticed is not sent any more', async () => {
    const { ctx, assistant, id, row } = await setup();
    await ctx.db.query(statement('', 'update assistants set is_webhook_active = false where id = $1'), [
      assistant.id,
    ]);
    expect(await claimDelivery(ctx, id)).toBeNull();
    expect(await row(id)).toMatchObject({ status: 'disabled', stage: null, reason: 'switched_off' });
  });
});

describe('an attempt', () => {
  it('with success ends the delivery, and its answer stands on the call', async () => {
    const { id, clock, attempt, detail } = await setup();
    expect(await attempt(id, answered(204, 'thanks'))).toMatchObject({
      status: 'delivered',
      stage: null,
      claimedBy: null,
      nextAttemptAt: null,
      settledAt: new Date(clock.now()),
    });
    expect(await detail()).toMatchObject({
      webhook_response: { status: 204, body: 'thanks' },
      webhook_deliveries: [
        { status: 'delivered', attempts: [{ number: 1, status: 204, response_body: 'thanks', error: null }] },
      ],
    });
  });

  it('without an answer is made again later, under the same id', async () => {
    const { ctx, clock, id, attempt, detail } = await setup();
    const state = await attempt(id, { error: 'connection refused' });
    expect(state).toMatchObject({ status: 'pending', stage: 'waiting', attemptCount: 1 });
    const waitMs = (state.nextAttemptAt?.getTime() ?? 0) - clock.now();
    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThanOrEqual(6_000);
    expect(await claimDelivery(ctx, id)).toBeNull();
    expect(await detail()).toMatchObject({
      webhook_response: { status: null, error: 'connection refused' },
      webhook_deliveries: [
        { attempts: [{ status: null, response_body: null, error: 'connection refused' }] },
      ],
    });
    expect(await attempt(id, answered(200))).toMatchObject({ id, status: 'delivered', attemptCount: 2 });
  });

  it('is counted once, however often it is reported, and only for who claimed it', async () => {
    const { ctx, id, report, row, detail } = await setup();
    const due = await claimDelivery(ctx, id);
    if (!due) throw new Error('Nothing is due');
    await Promise.all(Array.from({ length: 5 }, () => report(due, answered(500))));
    expect((await detail()).webhook_deliveries[0]?.attempts).toHaveLength(1);
    expect(await report(due, answered(200))).toEqual([]);
    expect(await row(id)).toMatchObject({ status: 'pending', attemptCount: 1 });
  });

  it('that comes after the claim was taken away changes nothing', async () => {
    const { ctx, id, report, row } = await setup();
    const due = await claimDelivery(ctx, id);
    if (!due) throw new Error('Nothing is due');
    await ctx.db.query(statement('', `update deliveries set claimed_by = 'other' where id = $1`), [id]);
    expect(await report(due, answered(200))).toEqual([]);
    expect(await row(id)).toMatchObject({ status: 'pending', stage: 'sending', attemptCount: 0 });
  });

  it('after nine failures is the last one', async () => {
    const { id, attempt, detail } = await setup();
    for (let number = 1; number <= 8; number++)
      expect(await attempt(id, answered(500))).toMatchObject({ status: 'pending', attemptCount: number });
    expect(await attempt(id, answered(500))).toMatchObject({ status: 'failed', reason: 'tries_used_up' });
    expect((await detail()).webhook_deliveries[0]?.attempts).toHaveLength(9);
  });

  it('keeps 64 KiB of an answer, without what Postgres cannot store', async () => {
    const { id, attempt, detail } = await setup();
    await attempt(id, answered(200, `\0${'ä'.repeat(50_000)}`));
    expect((await detail()).webhook_response['body']).toBe('ä'.repeat(32_767));
  });
});

describe('a receiver that is gone (410)', () => {
  it('switches its webhook off, and nothing that waits for it is sent', async () => {
    const { ctx, identity, assistant, id, announce, attempt, row } = await setup();
    const other = await announce();
    await attempt(other, answered(500));
    expect(await attempt(id, answered(410))).toMatchObject({ status: 'disabled', reason: 'gone' });
    expect(await findAssistant(ctx, identity, assistant.id)).toMatchObject({ is_webhook_active: false });
    expect(await row(other)).toMatchObject({ status: 'disabled', reason: 'switched_off' });
  });

  it('switches nothing off once its address was replaced', async () => {
    const { ctx, identity, assistant, id, attempt } = await setup();
    await ctx.db.query(statement('', `update assistants set webhook_url = 'https://b.test/' where id = $1`), [
      assistant.id,
    ]);
    await attempt(id, answered(410));
    expect(await findAssistant(ctx, identity, assistant.id)).toMatchObject({ is_webhook_active: true });
  });
});

describe('a webhook that is switched off', () => {
  const off = { webhookUrl: null };
  const on = { webhookUrl: 'https://other.test/' };

  it('between two tries is tried no more, also not once it is on again', async () => {
    const { ctx, clock, identity, assistant, id, attempt, row } = await setup();
    await attempt(id, answered(500));
    await switchWebhook(ctx, identity, { assistantId: assistant.id, ...off });
    expect(await row(id)).toMatchObject({ status: 'disabled', stage: null, reason: 'switched_off' });
    await switchWebhook(ctx, identity, { assistantId: assistant.id, ...on });
    clock.advance(3600_000);
    expect(await claimDelivery(ctx, id)).toBeNull();
  });

  it('during a try has that one logged, and no other, also when it is on again by then', async () => {
    const { ctx, identity, assistant, id, report, row, detail } = await setup();
    const due = await claimDelivery(ctx, id);
    if (!due) throw new Error('Nothing is due');
    await switchWebhook(ctx, identity, { assistantId: assistant.id, ...off });
    await switchWebhook(ctx, identity, { assistantId: assistant.id, ...on });
    expect(await row(id)).toMatchObject({ status: 'pending', stage: 'sending' });
    await report(due, answered(500));
    expect(await row(id)).toMatchObject({ status: 'disabled', stage: null, reason: 'switched_off' });
    expect((await detail()).webhook_deliveries[0]?.attempts).toHaveLength(1);
  });

  it('during a try that succeeds was delivered', async () => {
    const { ctx, identity, assistant, id, report, row } = await setup();
    const due = await claimDelivery(ctx, id);
    if (!due) throw new Error('Nothing is due');
    await switchWebhook(ctx, identity, { assistantId: assistant.id, ...off });
    await report(due, answered(200));
    expect(await row(id)).toMatchObject({ status: 'delivered', reason: null });
  });

  it('during an attempt whose worker dies is not retried by another, even if it is on again', async () => {
    const { ctx, identity, assistant, id, row } = await setup();
    await claimDelivery(ctx, id);
    await switchWebhook(ctx, identity, { assistantId: assistant.id, ...off });
    await switchWebhook(ctx, identity, { assistantId: assistant.id, ...on });
    await ctx.db.query(
      statement(
        '',
        `update deliveries set stage = 'due', claimed_by = null, claimed_at = null where id = $1`,
      ),
      [id],
    );
    expect(await claimDelivery(ctx, id)).toBeNull();
    expect(await row(id)).toMatchObject({ status: 'disabled', reason: 'switched_off' });
  });
});
