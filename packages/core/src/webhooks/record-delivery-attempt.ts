/** Keeps the answer to a webhook, and decides whether and when it is sent again. */
import { json, statement, type DeliveryRow, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { DomainError } from '../shared/domain-error.ts';
import { decideRetry } from './webhook-retry.rules.ts';

/** What came of one request. */
export interface DeliveryAttemptInput {
  deliveryId: string;
  /** As handed out by `nextDelivery`; a report that comes twice is ignored. */
  attempt: number;
  at: Date;
  durationMs: number;
  /** The answer, or one sentence about what kept it from coming. */
  outcome: { status: number; headers: Record<string, string>; body: string } | { error: string };
}

/** Where a delivery stands now. */
export type DeliveryState =
  | { status: 'delivered' | 'failed' | 'disabled' }
  | { status: 'pending'; nextAttemptAt: Date };

/** How much of an answer is kept, bytes. */
const MAX_BODY_BYTES = 65_536;

const lockDelivery = statement<DeliveryRow>(
  'lock_delivery',
  `select * from deliveries where id = $1 for update`,
);
const insertAttempt = statement(
  'insert_delivery_attempt',
  `insert into delivery_attempts
     (delivery_id, number, at, status, response_headers, response_body, error, duration_ms)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const updateDelivery = statement(
  'update_delivery',
  `update deliveries set status = $2, attempt_count = $3, next_attempt_at = $4 where id = $1`,
);
const storeWebhookResponse = statement(
  'store_webhook_response',
  `update calls set webhook_response = $3, changed_at = clock_timestamp() where id = $1 and created_at = $2`,
);
/** Only while the address is still the one that answered 410. */
const switchWebhookOff = statement(
  'switch_webhook_off',
  `update assistants set
     is_webhook_active = is_webhook_active and not ($2 = 'post-call' and webhook_url = $3),
     inbound_webhook_url = case when $2 = 'inbound' and inbound_webhook_url = $3 then null else inbound_webhook_url end,
     updated_at = $4
   where id = $1`,
);

/** @throws DomainError `not-found` when there is no such delivery */
export async function recordDeliveryAttempt(
  ctx: CoreContext,
  input: DeliveryAttemptInput,
): Promise<DeliveryState> {
  return ctx.db.transaction(async (tx) => {
    const [delivery] = await tx.query(lockDelivery, [input.deliveryId]);
    if (!delivery) throw new DomainError('not-found', 'Delivery not found');
    if (delivery.status !== 'pending' || input.attempt !== delivery.attemptCount + 1)
      return stateOf(delivery);
    const answer = readOutcome(input);
    await tx.query(insertAttempt, [
      delivery.id,
      input.attempt,
      input.at,
      answer.status,
      json(answer.headers),
      answer.body,
      answer.error,
      input.durationMs,
    ]);
    await keepAnswerOnCall(tx, delivery, answer);
    return decideNext(ctx, tx, delivery, { ...input, httpStatus: answer.status });
  });
}

interface Answer {
  status: number | null;
  headers: Record<string, string>;
  body: string;
  error: string | null;
}

function readOutcome({ outcome }: DeliveryAttemptInput): Answer {
  if ('error' in outcome) return { status: null, headers: {}, body: '', error: storable(outcome.error) };
  const headers = Object.fromEntries(
    Object.entries(outcome.headers).map(([name, value]) => [name, storable(value)]),
  );
  return { status: outcome.status, headers, body: storable(outcome.body), error: null };
}

/** Postgres stores neither NUL nor half characters; both come from strangers. */
function storable(text: string): string {
  const cut = Buffer.from(text, 'utf8').subarray(0, MAX_BODY_BYTES).toString('utf8');
  return cut.replaceAll('\0', '').replace(/\uFFFD$/, '');
}

/** The record shows the last answer to the post-call webhook. */
async function keepAnswerOnCall(tx: Tx, delivery: DeliveryRow, answer: Answer): Promise<void> {
  if (delivery.target !== 'post-call') return;
  const shown = {
    status: answer.status,
    body: answer.body,
    ...(answer.error !== null && { error: answer.error }),
  };
  await tx.query(storeWebhookResponse, [delivery.callId, delivery.callCreatedAt, json(shown)]);
}

async function decideNext(
  ctx: CoreContext,
  tx: Tx,
  delivery: DeliveryRow,
  made: { attempt: number; at: Date; httpStatus: number | null },
): Promise<DeliveryState> {
  const decision = decideRetry(made.attempt, made.httpStatus, Math.random());
  const nextAttemptAt = decision.status === 'pending' ? new Date(made.at.getTime() + decision.waitMs) : null;
  await tx.query(updateDelivery, [delivery.id, decision.status, made.attempt, nextAttemptAt]);
  if (decision.status === 'disabled') {
    await tx.query(switchWebhookOff, [delivery.assistantId, delivery.target, delivery.url, made.at]);
  }
  if (nextAttemptAt)
    await enqueue(tx, 'deliver_webhook', { deliveryId: delivery.id }, { runAt: nextAttemptAt });
  ctx.log.info(
    { deliveryId: delivery.id, attempt: made.attempt, status: decision.status },
    'A webhook was attempted',
  );
  return stateOf({ status: decision.status, nextAttemptAt });
}

function stateOf(delivery: Pick<DeliveryRow, 'status' | 'nextAttemptAt'>): DeliveryState {
  if (delivery.status !== 'pending') return { status: delivery.status };
  if (!delivery.nextAttemptAt) throw new Error('A pending delivery has no next attempt');
  return { status: 'pending', nextAttemptAt: delivery.nextAttemptAt };
}
