/**
 * Claims due deliveries for one worker, signed and ready to be sent. SQL, because it locks and skips rows. Receivers are
 * treated fairly: a slow receiver has a few claims at most, in all workers together; of the others the longest due come
 * first. Deliveries about one call keep their order.
 *
 * A claim lasts until the attempt is recorded (record-delivery-attempts.ts) or its worker has stopped: then another worker
 * releases the claims (`apps/worker/src/pool-liveness.ts`), and the deliveries are sent a second time under the same id.
 * docs/decisions/webhook-queue.md
 */
import { statement, type DeliveryRow } from '@parley/db';
import { IS_DISARMED } from '../capacity/disarmed.ts';
import { now, type CoreContext } from '../context.ts';
import { validSecrets, webhookHeaders, type SealedSecrets } from './sign-webhook.ts';
import { disableClaimedDeliveries } from '../outbox/delivery-state.ts';
import { CURRENT_URL, RECEIVER_JOINS } from '../outbox/webhook-switches.ts';

/** A signed request, and the facts that are needed to handle its answer. */
export interface DueDelivery extends Pick<
  DeliveryRow,
  | 'id'
  | 'url'
  | 'event'
  | 'target'
  | 'userId'
  | 'assistantId'
  | 'endpointId'
  | 'attemptCount'
  | 'scheduleStart'
> {
  /** The exact text to send, which was signed. */
  body: string;
  headers: Record<string, string>;
  /** True for members: the exceptions of WEBHOOK_ALLOW_PRIVATE are for operators. */
  isPublicOnly: boolean;
}

/** The options of a claim. */
export interface DeliveryClaim {
  /** The name of the worker, whose lock proves that it runs. */
  claimer: string;
  /** Maximum number. */
  count: number;
  /** Maximum number of simultaneous requests to one receiver, over all workers. */
  perReceiver: number;
}

/** A receiver counts as slow while one of its requests has been waiting for longer than this. */
const SLOW_AFTER = '1 second';
/** Requests to a slow receiver at once: enough to detect that it has recovered. */
const MAX_OF_SLOW = 2;

interface ClaimedRow extends Omit<DueDelivery, 'headers'>, SealedSecrets {
  isStillWanted: boolean;
}

/**
 * The webhook settings of an erased assistant are gone; deliveries of webhooks that were off were disabled at the erasure
 * (erase-assistants.ts). A delivery that was switched off while it was being sent is not sent again, even if its webhook
 * is on again.
 */
const claim = statement<ClaimedRow>(
  'claim_deliveries',
  `select d.id, d.url, d.payload::text as body, d.event, d.target, d.user_id, d.assistant_id, d.endpoint_id, d.attempt_count, d.schedule_start,
     u.role <> 'operator' as is_public_only,
     coalesce(e.secret_sealed, u.webhook_secret_sealed) as webhook_secret_sealed,
     case when e.id is null then u.webhook_secret_old_sealed else e.secret_old_sealed end as webhook_secret_old_sealed,
     case when e.id is null then u.webhook_secret_old_until else e.secret_old_until end as webhook_secret_old_until,
     d.reason is null and (a.erased_at is not null or ${CURRENT_URL} is not null) as is_still_wanted
   from parley_claim_deliveries($1, $2, case when ${IS_DISARMED} then 0 else $3 end, $4, '${SLOW_AFTER}', ${MAX_OF_SLOW}) d
   ${RECEIVER_JOINS}`,
);
const selectNext = statement<{ at: Date | null }>(
  'next_waiting_delivery',
  `select min(next_attempt_at) as at from deliveries where stage = 'waiting'`,
);

/** @returns the deliveries to send now, the longest due first; fewer than `count` if no more are due or receivers are busy */
export async function claimDeliveries(ctx: CoreContext, wanted: DeliveryClaim): Promise<DueDelivery[]> {
  const { claimer, count, perReceiver } = wanted;
  const at = now(ctx);
  const rows = await ctx.db.query(claim, [claimer, at, count, perReceiver]);
  const unwanted = rows.filter(({ isStillWanted }) => !isStillWanted).map(({ id }) => id);
  await disableClaimedDeliveries(ctx.db, claimer, { ids: unwanted, at });
  return rows.filter(({ isStillWanted }) => isStillWanted).map((row) => ready(ctx, row, at));
}

/** @returns when the next retry becomes due; null without any */
export async function findNextRetry(ctx: CoreContext): Promise<Date | null> {
  const [next] = await ctx.db.query(selectNext);
  return next?.at ?? null;
}

function ready(ctx: CoreContext, row: ClaimedRow, at: Date): DueDelivery {
  const { id, url, body, event, target, attemptCount, scheduleStart, isPublicOnly } = row;
  const about = { userId: row.userId, assistantId: row.assistantId, endpointId: row.endpointId };
  const headers = webhookHeaders({ id, body, at }, validSecrets(ctx.secretBox, row, at));
  return { ...about, id, url, body, event, target, attemptCount, scheduleStart, isPublicOnly, headers };
}
