/**
 * The addresses that receive the end of a call. The assistant's present settings apply, not those at the beginning of
 * the call.
 */
import type { CallStatus, CallType } from '@parley/contracts';

/** An assistant's settings about webhooks. */
export interface WebhookSettings {
  isWebhookActive: boolean;
  webhookUrl: string | null;
  inboundWebhookUrl: string | null;
  isWebhookOnlyOnCompleted: boolean;
  isRecordingInWebhook: boolean;
}

/** The webhooks of an assistant. */
export const assistantTargets = ['post-call', 'inbound', 'conversation'] as const;

/** One of {@link assistantTargets}. */
export type AssistantTarget = (typeof assistantTargets)[number];

/** One address. */
export interface WebhookTarget {
  target: 'post-call' | 'inbound';
  url: string;
}

/** @param call - in a final state */
export function webhookTargets(
  call: { status: CallStatus; type: CallType },
  settings: WebhookSettings,
): WebhookTarget[] {
  const targets: WebhookTarget[] = [];
  const isWanted = call.status === 'completed' || !settings.isWebhookOnlyOnCompleted;
  if (settings.isWebhookActive && settings.webhookUrl !== null && isWanted) {
    targets.push({ target: 'post-call', url: settings.webhookUrl });
  }
  // `send_webhook_only_on_completed` belongs to the post-call webhook; the inbound webhook has reported the beginning of the call.
  if (call.type === 'inbound' && settings.inboundWebhookUrl !== null) {
    targets.push({ target: 'inbound', url: settings.inboundWebhookUrl });
  }
  return targets;
}

/** The webhooks of an assistant that are switched off. */
export function webhooksThatAreOff(
  settings: Pick<WebhookSettings, 'isWebhookActive' | 'inboundWebhookUrl'> & {
    conversationEndedWebhookUrl: string | null;
  },
): AssistantTarget[] {
  const areOff: Record<AssistantTarget, boolean> = {
    'post-call': !settings.isWebhookActive,
    inbound: settings.inboundWebhookUrl === null,
    conversation: settings.conversationEndedWebhookUrl === null,
  };
  return assistantTargets.filter((target) => areOff[target]);
}
