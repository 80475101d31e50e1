/**
 * Sends one delivery again, whatever its outcome: with the same id, to the present address of its assistant, with a new
 * signature and the whole schedule of retries. SQL, because it locks the delivery.
 */
import type { DeliveryRecord } from '@parley/contracts';
import { statement, type DeliveryRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { DELIVERY_COLUMNS, deliveryRecord, type DeliveryListRow } from './delivery-record.ts';
import { deliveryNotFound } from './list-deliveries.ts';
import { renewDeliveries } from '../outbox/delivery-state.ts';
import { wakeWebhooks } from '../outbox/wake-webhooks.ts';
import { CURRENT_URL, RECEIVER_JOINS } from '../outbox/webhook-switches.ts';

const lockDelivery = statement<Pick<DeliveryRow, 'stage'> & { currentUrl: string | null }>(
  'lock_delivery_to_resend',
  `select d.stage, case when a.deleted_at is null then ${CURRENT_URL} end as current_url
   from deliveries d ${RECEIVER_JOINS}
   where d.id = $1 and d.user_id = $2 for update of d`,
);
const selectRenewed = statement<DeliveryListRow>(
  'renewed_delivery',
  `select ${DELIVERY_COLUMNS} from deliveries d where d.id = $1`,
);

/**
 * @throws DomainError `not-found`, also for another user's; `conflict` while it is being sent, and while its webhook is
 *   switched off
 */
export async function resendDelivery(
  ctx: CoreContext,
  identity: Identity,
  id: string,
): Promise<DeliveryRecord> {
  return ctx.db.transaction(async (tx) => {
    const [found] = await tx.query(lockDelivery, [id, identity.userId]);
    if (!found) throw deliveryNotFound();
    if (found.stage === 'sending')
      throw new DomainError('conflict', 'This webhook is being sent at this moment.');
    if (found.currentUrl === null)
      throw new DomainError('conflict', 'The webhook is switched off. Switch it on before you send again.');
    await renewDeliveries(tx, [{ id, url: found.currentUrl }], now(ctx));
    const [renewed] = await tx.query(selectRenewed, [id]);
    if (!renewed) throw new Error('A locked delivery no longer exists');
    await wakeWebhooks(tx);
    return deliveryRecord(renewed);
  });
}
