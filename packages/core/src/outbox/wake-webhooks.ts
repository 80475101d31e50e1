/**
 * Notifies the workers of new deliveries when the transaction commits. A notification may be lost, so workers also poll
 * (`apps/worker/src/webhooks/dispatcher.ts`).
 */
import { statement, type Tx } from '@parley/db';

/** The Postgres channel of the workers. Notifications have no content. */
export const WEBHOOK_CHANNEL = 'parley_webhooks';

const notify = statement('wake_webhooks', `select pg_notify('${WEBHOOK_CHANNEL}', '')`);

/** Several in one transaction are one notification. */
export async function wakeWebhooks(tx: Tx): Promise<void> {
  await tx.query(notify);
}
