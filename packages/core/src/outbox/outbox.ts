/** Inserts the webhooks of a finished call into the outbox, in the transaction that finishes the call. */
import { sendTogether, statement, type Tx } from '@parley/db';
import type { StoredCall } from '../calls/lock-call.ts';
import { now, type CoreContext } from '../context.ts';
import { findRecordingUrl } from '../recordings/recording-url.ts';
import { callPayload, type CostSums } from './call-payload.ts';
import { insertDelivery } from './delivery-state.ts';
import { loadCampaignPayload } from './load-campaign-payload.ts';
import { wakeWebhooks } from './wake-webhooks.ts';
import { webhookTargets, type WebhookSettings } from './webhook-targets.rules.ts';

const selectSettings = statement<WebhookSettings>(
  'webhook_settings',
  `select is_webhook_active, webhook_url, inbound_webhook_url, is_webhook_only_on_completed, is_recording_in_webhook
   from assistants where id = $1`,
);

/** Read from the row, because the call in memory does not contain the costs of this transaction. */
const selectCosts = statement<CostSums>(
  'webhook_costs',
  `select carrier_cost, total_cost from calls where id = $1 and created_at = $2`,
);

/** The addresses that receive the end of a call, according to the present settings of its assistant. */
export interface WebhookTargets {
  targets: ReturnType<typeof webhookTargets>;
  isRecordingSent: boolean;
}

/** @param call - in a final state */
export async function findWebhookTargets(tx: Tx, call: StoredCall): Promise<WebhookTargets> {
  const [settings] = await tx.query(selectSettings, [call.assistantId]);
  if (!settings) return { targets: [], isRecordingSent: false };
  return { targets: webhookTargets(call, settings), isRecordingSent: settings.isRecordingInWebhook };
}

/** @param call - in a final state, and its lead settled */
export async function announceFinishedCall(
  ctx: CoreContext,
  tx: Tx,
  call: StoredCall,
  { targets, isRecordingSent }: WebhookTargets,
): Promise<void> {
  if (targets.length === 0) return;
  const [recordingUrl, about, [costs]] = await sendTogether(tx, [
    isRecordingSent && ((tx: Tx) => urlOf(ctx, tx, call)),
    (tx) => loadCampaignPayload(tx, call),
    (tx) => tx.query(selectCosts, [call.id, call.createdAt]),
  ]);
  if (!costs) throw new Error('A locked call no longer exists');
  const payload: Record<string, unknown> = { ...callPayload(call, { ...about, costs, recordingUrl }) };
  const { userId, assistantId } = call;
  const shared = { call, userId, assistantId, event: 'call.finished', payload, at: now(ctx) };
  await sendTogether(tx, [
    ...targets.map(
      ({ target, url }) =>
        (tx: Tx) =>
          insertDelivery(tx, { ...shared, target, url }),
    ),
    wakeWebhooks,
  ]);
}

/** Null if recording was off in the assistant's settings at the beginning of the call. */
async function urlOf(ctx: CoreContext, tx: Tx, call: StoredCall): Promise<string | null> {
  return call.configuration.assistant.isRecorded ? findRecordingUrl(ctx, tx, call.id) : null;
}
