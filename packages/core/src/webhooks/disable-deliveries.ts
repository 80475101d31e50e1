/**
 * A webhook that is switched off gets nothing more, also nothing that still waited for another try: not even when it is
 * switched on again later, perhaps with another address. Only its owner's "send again" brings back what ended so.
 */
import { statement, type DeliveryRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';

/** What is on its way just now keeps its claim, so that its answer is logged; the reason keeps it from being retried. */
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
