/**
 * Tells the workers that there is a webhook to deliver, at the commit of the transaction that made it so. A notice may
 * be lost; workers also look for themselves (`apps/worker/src/webhooks/dispatcher.ts`).
 */
import { statement, type Tx } from '@parley/db';

/** Postgres channel that workers LISTEN on. The notices have no content. */
export const WEBHOOK_CHANNEL = 'parley_webhooks';

const notify = statement('wake_webhooks', `select pg_notify('${WEBHOOK_CHANNEL}', '')`);

/** Many in one transaction are one notice. */
export async function wakeWebhooks(tx: Tx): Promise<void> {
  await tx.query(notify);
}
