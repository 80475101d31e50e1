/**
 * Disables the pending deliveries of a webhook that was switched off. They stay disabled when it is switched on again, perhaps
 * with another address, until the owner sends them again. SQL, because there may be thousands.
 */
import { statement, type DeliveryRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';

/** A delivery that is being sent keeps its claim, so that its answer is logged; the reason prevents a retry. */
const disablePending = statement(
  'disable_pending_deliveries',
  `update deliveries set reason = 'switched_off',
     status = case when stage = 'sending' then 'pending' else 'disabled' end,
     stage = case when stage = 'sending' then 'sending' end,
     next_attempt_at = case when stage = 'sending' then next_attempt_at end,
     settled_at = case when stage = 'sending' then null else $3::timestamptz end
   where assistant_id = $1 and target = $2 and status = 'pending'`,
);

/** Gives up what waits for one of an assistant's two addresses. */
export async function disableDeliveries(
  ctx: CoreContext,
  tx: Tx,
  { assistantId, target }: Pick<DeliveryRow, 'assistantId' | 'target'>,
): Promise<void> {
  await tx.query(disablePending, [assistantId, target, now(ctx)]);
}
