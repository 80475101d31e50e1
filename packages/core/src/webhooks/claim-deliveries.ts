/**
 * Claims due deliveries for one worker, signed and ready to be sent. SQL, because it locks and skips rows. Receivers are
 * treated fairly: a slow receiver has a few claims at most, in all workers together; of the others the longest due come
 * first. Deliveries about one call keep their order.
 *
 * A claim lasts until the attempt is recorded (record-delivery-attempts.ts) or its worker has died: then another worker makes
 * the deliveries due again (`apps/worker/src/pool-liveness.ts`), and they are sent a second time under the same id.
 * docs/decisions/webhook-queue.md
 */
import { statement, type DeliveryRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { validSecrets, webhookHeaders, type SealedSecrets } from './sign-webhook.ts';
import { CURRENT_URL } from '../outbox/webhook-switches.ts';

/** A request to be sent as it stands, and what is needed to judge its answer. */
export interface DueDelivery extends Pick<
  DeliveryRow,
  'id' | 'url' | 'event' | 'target' | 'assistantId' | 'attemptCount' | 'scheduleStart'
> {
  /** The exact text to send; it is what was signed. */
  body: string;
  headers: Record<string, string>;
}

/** Who claims, and how much. */
export interface DeliveryClaim {
  /** Name under which the worker shows that it lives. */
  claimer: string;
  /** At most so many. */
  count: number;
  /** At most so many on their way to one receiver, in all workers together. */
  perReceiver: number;
}

/** A receiver that has let somebody wait for so long is slow, until it has answered. */
const SLOW_AFTER = '1 second';
/** On their way to a slow receiver at once: enough to notice that it has recovered. */
const MAX_OF_SLOW = 2;

interface ClaimedRow extends Omit<DueDelivery, 'headers'>, SealedSecrets {
  isStillWanted: boolean;
}

/**
 * An erased assistant has no switches left; what was switched off before was disabled then (erase-assistants.ts). A
 * delivery that was switched off while it was being sent is not wanted, even if its webhook is on again.
 */
const claim = statement<ClaimedRow>(
  'claim_deliveries',
  `select d.id, d.url, d.payload::text as body, d.event, d.target, d.assistant_id, d.attempt_count, d.schedule_start,
     u.webhook_secret_sealed, u.webhook_secret_old_sealed, u.webhook_secret_old_until,
     d.reason is null and (a.erased_at is not null or ${CURRENT_URL} is not null) as is_still_wanted
   from parley_claim_deliveries($1, $2, $3, $4, '${SLOW_AFTER}', ${MAX_OF_SLOW}) d
   join users u on u.id = d.user_id join assistants a on a.id = d.assistant_id`,
);
const disableClaimed = statement(
  'disable_claimed_deliveries',
  `update deliveries set status = 'disabled', stage = null, reason = 'switched_off', claimed_by = null,
     claimed_at = null, next_attempt_at = null, settled_at = $3
   where id = any($1::uuid[]) and claimed_by = $2`,
);
const selectNext = statement<{ at: Date | null }>(
  'next_waiting_delivery',
  `select min(next_attempt_at) as at from deliveries where stage = 'waiting'`,
);

/** @returns what to send now, the longest due first; fewer than wanted where no more is due or receivers are busy */
export async function claimDeliveries(ctx: CoreContext, wanted: DeliveryClaim): Promise<DueDelivery[]> {
  const { claimer, count, perReceiver } = wanted;
  const at = now(ctx);
  const rows = await ctx.db.query(claim, [claimer, at, count, perReceiver]);
  const unwanted = rows.filter(({ isStillWanted }) => !isStillWanted).map(({ id }) => id);
  if (unwanted.length > 0) await ctx.db.query(disableClaimed, [unwanted, claimer, at]);
  return rows.filter(({ isStillWanted }) => isStillWanted).map((row) => ready(ctx, row, at));
}

/** @returns when the next retry becomes due; null while none waits */
export async function findNextRetry(ctx: CoreContext): Promise<Date | null> {
  const [next] = await ctx.db.query(selectNext);
  return next?.at ?? null;
}

function ready(ctx: CoreContext, row: ClaimedRow, at: Date): DueDelivery {
  const { id, url, body, event, target, assistantId, attemptCount, scheduleStart } = row;
  const headers = webhookHeaders({ id, body, at }, validSecrets(ctx.secretBox, row, at));
  return { id, url, body, event, target, assistantId, attemptCount, scheduleStart, headers };
}
