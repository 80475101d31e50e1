import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { claimDelivery, makeUser, waitingJobs } from '../../test/arrange.ts';
import { answered, arrangeWebhooks } from '../../test/arrange-webhooks.ts';
import { deleteAssistant } from '../assistants/delete-assistant.ts';
import { switchWebhook } from '../assistants/switch-webhooks.ts';
import { findDelivery, listDeliveries, listDeliveriesAfter } from './list-deliveries.ts';
import { resendDelivery } from './resend-delivery.ts';
import { requestResend, resendBatch, type ResendRequest } from './resend-many.ts';
import { removeOldDeliveries } from './remove-old-deliveries.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrangeWebhooks(database.db);
  const { ctx, identity, clock, attempt, announce } = about;
  /** A webhook whose tries are used up. */
  async function fail(): Promise<string> {
    const id = await announce();
    for (let number = 1; number <= 9; number++) await attempt(id, answered(500));
    return id;
  }
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const wanted = { status: 'failed' as const, dateFrom: today, dateTo: '2030-01-01', event: null };
  const requestOf = (changes: Partial<ResendRequest> = {}): ResendRequest => ({
    ...wanted,
    userId: identity.userId,
    timezone: identity.timezone,
    requestedAt: new Date(clock.now()).toISOString(),
    ...changes,
  });
  return { ...about, fail, wanted, requestOf, resend: (id: string) => resendDelivery(ctx, identity, id) };
}

describe('sending one webhook again', () => {
  it('keeps its id, begins the schedule anew and goes on counting attempts', async () => {
    const { clock, fail, resend, attempt, row } = await setup();
    const id = await fail();
    expect(await resend(id)).toMatchObject({ id, status: 'pending', reason: null, attempt_count: 9 });
    expect(await row(id)).toMatchObject({ stage: 'due', settledAt: null });
    const again = await attempt(id, answered(500));
    expect(again).toMatchObject({ status: 'pending', attemptCount: 10 });
    const waitMs = (again.nextAttemptAt?.getTime() ?? 0) - clock.now();
    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThanOrEqual(6_000);
    for (let number = 2; number <= 8; number++) await attempt(id, answered(500));
    expect(await attempt(id, answered(500))).toMatchObject({ status: 'failed', attemptCount: 18 });
  });

  it('signs with the time of now', async () => {
    const { ctx, clock, announce, attempt, resend } = await setup();
    const id = await announce();
    await attempt(id, answered(200));
    clock.advance(3600_000);
    await resend(id);
    const due = await claimDelivery(ctx, id);
    expect(due?.headers['webhook-timestamp']).toBe(String(clock.now() / 1000));
    expect(due?.headers['webhook-id']).toBe(id);
  });

  it('goes to the address of now', async () => {
    const { ctx, identity, assistant, fail, resend } = await setup();
    const id = await fail();
    await switchWebhook(ctx, identity, {
      assistantId: assistant.id,
      webhookUrl: 'https://New.test:8443/x?y',
    });
    expect(await resend(id)).toMatchObject({ url: 'https://New.test:8443/x?y' });
    expect(await claimDelivery(ctx, id)).toMatchObject({ url: 'https://New.test:8443/x?y' });
  });

  it('brings back what ended because the webhook was switched off, once it is on', async () => {
    const { ctx, identity, assistant, announce, attempt, resend, row } = await setup();
    const id = await announce();
    await attempt(id, answered(500));
    await switchWebhook(ctx, identity, { assistantId: assistant.id, webhookUrl: null });
    await expect(resend(id)).rejects.toMatchObject({ kind: 'conflict' });
    await switchWebhook(ctx, identity, { assistantId: assistant.id, webhookUrl: 'https://on.test/' });
    expect(await row(id)).toMatchObject({ status: 'disabled' });
    expect(await resend(id)).toMatchObject({ status: 'pending', reason: null });
    expect(await claimDelivery(ctx, id)).toMatchObject({ url: 'https://on.test/' });
  });

  it('is refused while it is being sent', async () => {
    const { ctx, announce, resend } = await setup();
    const id = await announce();
    await claimDelivery(ctx, id);
    await expect(resend(id)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('is refused when its assistant is deleted', async () => {
    const { ctx, identity, assistant, fail, resend } = await setup();
    const id = await fail();
    await deleteAssistant(ctx, identity, assistant.id);
    await expect(resend(id)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it("does not change another user's deliveries", async () => {
    const { ctx, fail } = await setup();
    const id = await fail();
    const stranger = await makeUser(ctx);
    await expect(resendDelivery(ctx, stranger, id)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(findDelivery(ctx, stranger, id)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await listDeliveries(ctx, stranger, { page: 1, perPage: 10 })).toEqual({ rows: [], total: 0 });
  });
});

describe('sending all failed webhooks of some days again', () => {
  it('says how many, and a job does it', async () => {
    const { ctx, identity, fail, announce, wanted, requestOf, row } = await setup();
    const [one, two, pending] = [await fail(), await fail(), await announce()];
    expect(await requestResend(ctx, identity, wanted)).toBe(2);
    expect(await waitingJobs(ctx, 'resend_deliveries', { ...requestOf() })).toBe(1);
    expect(await resendBatch(ctx, requestOf())).toBe(false);
    for (const id of [one, two]) expect(await row(id)).toMatchObject({ status: 'pending', stage: 'due' });
    expect(await row(pending)).toMatchObject({ scheduleStart: 0 });
  });

  it('enqueues nothing where nothing failed', async () => {
    const { ctx, identity, wanted, requestOf } = await setup();
    expect(await requestResend(ctx, identity, wanted)).toBe(0);
    expect(await waitingJobs(ctx, 'resend_deliveries', { ...requestOf() })).toBe(0);
  });

  it('does not send twice what failed again since, however often the job runs', async () => {
    const { ctx, clock, fail, attempt, requestOf, row } = await setup();
    const id = await fail();
    const request = requestOf();
    clock.advance(1_000);
    await resendBatch(ctx, request);
    for (let number = 1; number <= 9; number++) await attempt(id, answered(500));
    await resendBatch(ctx, request);
    expect(await row(id)).toMatchObject({ status: 'failed', attemptCount: 18 });
    await resendBatch(ctx, requestOf());
    expect(await row(id)).toMatchObject({ status: 'pending' });
  });

  it('takes only what was asked for, and leaves what is switched off', async () => {
    const { ctx, identity, assistant, fail, requestOf, row } = await setup();
    const id = await fail();
    for (const changes of [
      { dateFrom: '2029-12-31' },
      { dateTo: '2020-01-01' },
      { event: 'call.incoming' },
      { status: 'disabled' as const },
      { userId: identity.userId + 1 },
    ]) {
      await resendBatch(ctx, requestOf(changes));
      expect(await row(id)).toMatchObject({ status: 'failed' });
    }
    await switchWebhook(ctx, identity, { assistantId: assistant.id, webhookUrl: null });
    await resendBatch(ctx, requestOf());
    expect(await row(id)).toMatchObject({ status: 'failed' });
    await switchWebhook(ctx, identity, { assistantId: assistant.id, webhookUrl: 'https://on.test/' });
    await resendBatch(ctx, requestOf({ event: 'call.finished' }));
    expect(await row(id)).toMatchObject({ status: 'pending', origin: 'https://on.test' });
  });
});

describe('the log of webhooks', () => {
  it('tells of one delivery with its payload and every attempt', async () => {
    const { ctx, identity, announce, attempt, url } = await setup();
    const id = await announce();
    await attempt(id, answered(503, 'later'));
    const detail = await findDelivery(ctx, identity, id);
    expect(detail).toMatchObject({
      id,
      url,
      status: 'pending',
      attempt_count: 1,
      last_status: 503,
      payload: { event: 'call.finished' },
      attempts: [
        {
          number: 1,
          status: 503,
          duration_ms: 12,
          response_headers: { server: 'x' },
          response_body: 'later',
          error: null,
        },
      ],
    });
  });

  it('is filtered by call, status, event and days, newest first', async () => {
    const { ctx, clock, identity, announce, attempt, row } = await setup();
    const first = await announce();
    await attempt(first, answered(200));
    clock.advance(24 * 3600_000);
    const second = await announce();
    const { callId } = await row(second);
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const find = async (filters: object): Promise<string[]> =>
      (await listDeliveries(ctx, identity, { page: 1, perPage: 10, ...filters })).rows.map(({ id }) => id);
    expect(await find({})).toEqual([second, first]);
    expect(await find({ status: 'delivered' })).toEqual([first]);
    expect(await find({ status: 'pending', event: 'call.finished' })).toEqual([second]);
    expect(await find({ event: 'call.incoming' })).toEqual([]);
    expect(await find({ callId })).toEqual([second]);
    expect(await find({ dateFrom: day })).toEqual([second]);
    expect(await find({ dateTo: day, dateFrom: '2020-01-01' })).toEqual([second, first]);
    expect(await find({ dateTo: '2020-01-01' })).toEqual([]);
    expect(await find({ perPage: 1, page: 2 })).toEqual([first]);
  });

  it('is read on from a position, also among deliveries of one instant and while others are added', async () => {
    const { ctx, clock, identity, announce } = await setup();
    const made = [await announce(), await announce(), await announce()];
    clock.advance(1000);
    made.push(await announce());
    const read: string[] = [];
    let after: Parameters<typeof listDeliveriesAfter>[2]['after'] = null;
    for (;;) {
      const { rows, next } = await listDeliveriesAfter(ctx, identity, { perPage: 1, after });
      read.push(...rows.map(({ id }) => id));
      if (next === null) break;
      after = next;
      clock.advance(1000);
      if (read.length === 2) await announce();
    }
    expect(read).toHaveLength(4);
    expect(read.toSorted()).toEqual(made.toSorted());
    expect(read[0]).toBe(made[3]);
    const none = { perPage: 10, after, dateTo: '2020-01-01' };
    expect(await listDeliveriesAfter(ctx, identity, none)).toEqual({ rows: [], next: null });
  });

  it('removes deliveries that were settled long ago, and keeps pending ones', async () => {
    const { ctx, clock, identity, announce, attempt } = await setup();
    const old = await announce();
    await attempt(old, answered(200));
    const pending = await announce();
    clock.advance(20 * 24 * 3600_000);
    const young = await announce();
    await attempt(young, answered(200));
    clock.advance(11 * 24 * 3600_000);
    expect(await removeOldDeliveries(ctx, 30)).toBeGreaterThanOrEqual(1);
    const { rows } = await listDeliveries(ctx, identity, { page: 1, perPage: 10 });
    expect(rows.map(({ id }) => id)).toEqual([young, pending]);
    expect(
      await ctx.db.query(statement('', 'select 1 from delivery_attempts where delivery_id = $1'), [old]),
    ).toEqual([]);
  });
});
