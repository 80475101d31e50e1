/** What is to be posted for a delivery, signed. Headers follow Standard Webhooks. */
import { Webhook } from 'standardwebhooks';
import { statement, type DeliveryRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';

/** A request to be sent as it stands. */
export interface DueDelivery {
  id: string;
  url: string;
  /** The exact text to send; it is what was signed. */
  body: string;
  headers: Record<string, string>;
  /** 1 for the first. */
  attempt: number;
}

interface DeliveryWithOwner extends DeliveryRow {
  webhookSecretSealed: string;
  isStillWanted: boolean;
}

/** An erased assistant has no switches left; what was switched off before was disabled then (erase-assistants.ts). */
const selectDelivery = statement<DeliveryWithOwner>(
  'next_delivery',
  `select d.*, u.webhook_secret_sealed,
     a.erased_at is not null
       or case d.target when 'inbound' then a.inbound_webhook_url is not null
                        else a.is_webhook_active and a.webhook_url is not null end as is_still_wanted
   from deliveries d join users u on u.id = d.user_id join assistants a on a.id = d.assistant_id
   where d.id = $1 and d.status = 'pending'`,
);
const disableDelivery = statement(
  'disable_delivery',
  `update deliveries set status = 'disabled', next_attempt_at = null where id = $1 and status = 'pending'`,
);

/**
 * @returns null when there is nothing left to deliver: it arrived, was given up, or the webhook was switched off since
 */
export async function nextDelivery(ctx: CoreContext, deliveryId: string): Promise<DueDelivery | null> {
  const [row] = await ctx.db.query(selectDelivery, [deliveryId]);
  if (!row) return null;
  if (!row.isStillWanted) {
    await ctx.db.query(disableDelivery, [deliveryId]);
    return null;
  }
  const body = JSON.stringify(row.payload);
  const secret = ctx.secretBox.open(row.webhookSecretSealed);
  return {
    id: row.id,
    url: row.url,
    body,
    attempt: row.attemptCount + 1,
    headers: headersOf(row.id, body, secret, now(ctx)),
  };
}

function headersOf(id: string, body: string, secret: string, at: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}
