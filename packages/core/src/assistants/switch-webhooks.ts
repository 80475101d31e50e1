/** Switches an assistant's webhooks on and off. Calls in progress finish as they would; only who is told changes. */
import { statement, type DeliveryRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { disableDeliveries } from '../webhooks/disable-deliveries.ts';
import { assistantNotFound } from './stored-assistant.ts';

/** Whose webhook goes where. */
export interface SwitchWebhookInput {
  assistantId: number;
  /** Null: nowhere any more, and the address is forgotten. */
  webhookUrl: string | null;
}

const setWebhook = statement<{ id: number }>(
  'switch_webhook',
  `update assistants set is_webhook_active = $3::text is not null, webhook_url = $3, updated_at = $4
   where id = $1 and user_id = $2 and deleted_at is null returning id`,
);
const setInboundWebhook = statement<{ id: number }>(
  'switch_inbound_webhook',
  `update assistants set inbound_webhook_url = $3, updated_at = $4
   where id = $1 and user_id = $2 and deleted_at is null returning id`,
);

/**
 * The webhook after a call.
 *
 * @throws DomainError `not-found`, also when the assistant is deleted or somebody else's
 */
export async function switchWebhook(
  ctx: CoreContext,
  identity: Identity,
  input: SwitchWebhookInput,
): Promise<void> {
  await change(ctx, identity, { ...input, target: 'post-call' });
}

/**
 * The webhook of inbound calls.
 *
 * @throws DomainError `not-found`, also when the assistant is deleted or somebody else's
 */
export async function switchInboundWebhook(
  ctx: CoreContext,
  identity: Identity,
  input: SwitchWebhookInput,
): Promise<void> {
  await change(ctx, identity, { ...input, target: 'inbound' });
}

const SWITCHES = { 'post-call': setWebhook, inbound: setInboundWebhook };

async function change(
  ctx: CoreContext,
  identity: Identity,
  { assistantId, webhookUrl, target }: SwitchWebhookInput & { target: DeliveryRow['target'] },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const values = [assistantId, identity.userId, webhookUrl, now(ctx)];
    const [changed] = await tx.query(SWITCHES[target], values);
    if (!changed) throw assistantNotFound();
    if (webhookUrl === null) await disableDeliveries(ctx, tx, { assistantId, target });
  });
}
