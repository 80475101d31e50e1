/** Puts the webhooks of a finished call into the outbox, in the transaction that finishes it: both happen or neither. */
import { statement, type Tx } from '@parley/db';
import type { StoredCall } from '../calls/lock-call.ts';
import { now, type CoreContext } from '../context.ts';
import { findRecordingUrl } from '../recordings/recording-url.ts';
import { callPayload } from './call-payload.ts';
import { insertDelivery } from './insert-delivery.ts';
import { loadCampaignPayload } from './load-campaign-payload.ts';
import { wakeWebhooks } from './wake-webhooks.ts';
import { webhookTargets, type WebhookSettings } from './webhook-targets.rules.ts';

const selectSettings = statement<WebhookSettings>(
  'webhook_settings',
  `select is_webhook_active, webhook_url, inbound_webhook_url, is_webhook_only_on_completed, is_recording_in_webhook
   from assistants where id = $1`,
);
/** @param call - in a final state, as it was just written */
export async function announceFinishedCall(ctx: CoreContext, tx: Tx, call: StoredCall): Promise<void> {
  const [settings] = await tx.query(selectSettings, [call.assistantId]);
  if (!settings) return;
  const targets = webhookTargets(call, settings);
  if (targets.length === 0) return;
  const recordingUrl = settings.isRecordingInWebhook ? await findRecordingUrl(ctx, tx, call.id) : undefined;
  const about = await loadCampaignPayload(tx, call);
  const payload: Record<string, unknown> = { ...callPayload(call, { ...about, recordingUrl }) };
  const shared = { call, assistantId: call.assistantId, event: 'call.finished', payload, at: now(ctx) };
  for (const { target, url } of targets) await insertDelivery(tx, { ...shared, target, url });
  await wakeWebhooks(tx);
}
