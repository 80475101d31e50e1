/**
 * A webhook that is switched off gets nothing more, also nothing that still waited for another try: not even when it is
 * switched on again later, perhaps with another address.
 */
import { statement, type DeliveryRow, type Tx } from '@parley/db';

const disablePending = statement(
  'disable_pending_deliveries',
  `update deliveries set status = 'disabled', next_attempt_at = null
   where assistant_id = $1 and target = $2 and status = 'pending'`,
);

/** Gives up what waits for one of an assistant's two addresses. */
export async function disableDeliveries(
  tx: Tx,
  assistantId: number,
  target: DeliveryRow['target'],
): Promise<void> {
  await tx.query(disablePending, [assistantId, target]);
}
