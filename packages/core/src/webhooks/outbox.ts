/** Puts the webhooks of a finished call into the outbox, in the transaction that finishes it: both happen or neither. */
import { randomUUID } from 'node:crypto';
import { json, statement, type Tx } from '@parley/db';
import type { StoredCall } from '../calls/lock-call.ts';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { findRecordingUrl } from '../recordings/recording-url.ts';
import { callPayload } from './call-payload.ts';
import { loadCampaignPayload } from './load-campaign-payload.ts';
import { webhookTargets, type WebhookSettings } from './webhook-targets.rules.ts';

const selectSettings = statement<WebhookSettings>(
  'webhook_settings',
  `select is_webhook_active, webhook_url, inbound_webhook_url, is_webhook_only_on_completed, is_recording_in_webhook
   from assistants where id = $1`,
);
/** One webhook per call, event and target, whoever tries: the unique index is the last word. */
const insertDelivery = statement<{ id: string }>(
  'insert_delivery',
  `insert into deliveries (id, call_id, call_created_at, user_id, assistant_id, event, target, url, payload, status,
     next_attempt_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'pending', $10, $10)
   on conflict (call_id, event, target) do nothing returning id`,
);

/** @param call - in a final state, as it was just written */
export async function announceFinishedCall(ctx: CoreContext, tx: Tx, call: StoredCall): Promise<void> {
  const [settings] = await tx.query(selectSettings, [call.assistantId]);
  if (!settings) return;
  const targets = webhookTargets(call, settings);
  if (targets.length === 0) return;
  const recordingUrl = settings.isRecordingInWebhook ? await findRecordingUrl(ctx, tx, call.id) : undefined;
  const about = await loadCampaignPayload(tx, call);
  const payload = json(callPayload(call, { ...about, recordingUrl }));
  for (const { target, url } of targets) {
    const owner = [call.userId, call.assistantId];
    const values = [
      randomUUID(),
      call.id,
      call.createdAt,
      ...owner,
      'call.finished',
      target,
      url,
      payload,
      now(ctx),
    ];
    const [delivery] = await tx.query(insertDelivery, values);
    if (delivery) await enqueue(tx, 'deliver_webhook', { deliveryId: delivery.id });
  }
}
