/** What tests of webhooks stand on: finished calls whose webhooks wait, and a worker's part played by hand. */
import { randomUUID } from 'node:crypto';
import { statement, type Db, type DeliveryRow } from '@parley/db';
import type { GuardedOutcome } from '@parley/runtime/guarded-http';
import { completeCall, finishCall, recordDeliveryAttempts, type DueDelivery } from '../src/index.ts';
import { arrange, CLAIMER, claimDelivery, endOf, makeAnsweredCall } from './arrange.ts';

const selectOfCall = statement<DeliveryRow>(
  '',
  'select * from deliveries where call_id = $1 order by created_at, target',
);
const selectById = statement<DeliveryRow>('', 'select * from deliveries where id = $1');

/** An answer of a receiver. */
export const answered = (status: number, body = 'ok'): GuardedOutcome => ({
  status,
  headers: { server: 'x' },
  body,
});

/** An assistant with a webhook to a receiver of its own, and a way to finish calls. */
export async function arrangeWebhooks(db: Db, fields: Record<string, unknown> = {}) {
  const url = `https://${randomUUID()}.test/hook`;
  const about = await arrange(db, { is_webhook_active: true, webhook_url: url, ...fields });
  const { ctx, clock } = about;

  /** @returns the delivery of a call that has just been completed */
  async function announce(): Promise<string> {
    const callId = await makeAnsweredCall(about);
    await finishCall(ctx, endOf(about, callId));
    await completeCall(ctx, callId);
    const [delivery] = await ctx.db.query(selectOfCall, [callId]);
    if (!delivery) throw new Error('No webhook was announced');
    return delivery.id;
  }

  async function row(id: string): Promise<DeliveryRow> {
    const [delivery] = await ctx.db.query(selectById, [id]);
    if (!delivery) throw new Error('There is no such delivery');
    return delivery;
  }

  const report = (delivery: DueDelivery, outcome: GuardedOutcome) =>
    recordDeliveryAttempts(ctx, CLAIMER, [{ delivery, at: new Date(clock.now()), durationMs: 12, outcome }]);

  /** Waits for its time, claims it, and reports what came of it. */
  async function attempt(id: string, outcome: GuardedOutcome): Promise<DeliveryRow> {
    const waitMs = ((await row(id)).nextAttemptAt?.getTime() ?? 0) - clock.now();
    if (waitMs > 0) clock.advance(waitMs);
    const delivery = await claimDelivery(ctx, id);
    if (!delivery) throw new Error('It is not due');
    await report(delivery, outcome);
    return row(id);
  }

  return { ...about, url, announce, row, report, attempt };
}
