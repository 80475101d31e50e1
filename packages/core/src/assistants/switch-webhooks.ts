/** Switches an assistant's webhooks on and off. Calls in progress are not affected. */
import type { AssistantRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import type { AssistantTarget } from '../outbox/webhook-targets.rules.ts';
import { lockAssistant } from './own-assistant.ts';
import { storeChanged } from './update-assistant.ts';

/** The assistant, and the new address of its webhook. */
export interface SwitchWebhookInput {
  assistantId: number;
  /** Null switches the webhook off and removes its address. */
  webhookUrl: string | null;
}

/**
 * The webhook after a call.
 *
 * @throws DomainError `not-found`, also when the assistant is deleted or has another owner
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
 * @throws DomainError `not-found`, also when the assistant is deleted or has another owner
 */
export async function switchInboundWebhook(
  ctx: CoreContext,
  identity: Identity,
  input: SwitchWebhookInput,
): Promise<void> {
  await change(ctx, identity, { ...input, target: 'inbound' });
}

/**
 * The webhook at the end of written conversations.
 *
 * @throws DomainError `not-found`, also when the assistant is deleted or has another owner
 */
export async function switchConversationWebhook(
  ctx: CoreContext,
  identity: Identity,
  input: SwitchWebhookInput,
): Promise<void> {
  await change(ctx, identity, { ...input, target: 'conversation' });
}

/** The columns that hold a webhook's address. */
const SETTINGS: Record<AssistantTarget, (url: string | null) => Partial<AssistantRow>> = {
  'post-call': (url) => ({ webhookUrl: url, isWebhookActive: url !== null }),
  inbound: (url) => ({ inboundWebhookUrl: url }),
  conversation: (url) => ({ conversationEndedWebhookUrl: url }),
};

async function change(
  ctx: CoreContext,
  identity: Identity,
  { assistantId, webhookUrl, target }: SwitchWebhookInput & { target: AssistantTarget },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const stored = await lockAssistant(tx, identity, assistantId);
    const changed = { ...stored, ...SETTINGS[target](webhookUrl), updatedAt: now(ctx) };
    await storeChanged(ctx, tx, identity, { stored, changed });
  });
}
