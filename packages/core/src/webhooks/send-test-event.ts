/**
 * Sends the event `webhook.test` to the webhook of an assistant and returns the answer. It is sent once, signed like every
 * webhook, and is not in the log of deliveries, because it belongs to no call.
 */
import { randomUUID } from 'node:crypto';
import { isoMicroseconds, type WebhookTestPayload, type WebhookTestResult } from '@parley/contracts';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { findAssistant } from '../assistants/find-assistant.ts';
import { isDisarmed } from '../capacity/disarmed.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { validSecrets, webhookHeaders } from './sign-webhook.ts';
import { storedAnswer } from './stored-answer.ts';
import { loadWebhookSecrets } from './webhook-secret.ts';

/**
 * @throws DomainError `not-found` for an assistant that is missing or another user's; `conflict` without an address, and in a
 *   disarmed installation
 */
export async function sendTestEvent(
  ctx: CoreContext,
  identity: Identity,
  assistantId: number,
): Promise<WebhookTestResult> {
  const { webhook_url: url } = await findAssistant(ctx, identity, assistantId);
  if (!url) throw new DomainError('conflict', 'This assistant has no webhook address. Enter one first.');
  if (await isDisarmed(ctx.db))
    throw new DomainError(
      'conflict',
      'This installation is a restored copy that sends no webhooks. Arm it first.',
    );
  const at = now(ctx);
  const payload: WebhookTestPayload = {
    event: 'webhook.test',
    assistant_id: assistantId,
    sent_at: isoMicroseconds(at),
  };
  const body = JSON.stringify(payload);
  const secrets = validSecrets(ctx.secretBox, await loadWebhookSecrets(ctx.db, identity.userId), at);
  const headers = webhookHeaders({ id: randomUUID(), body, at }, secrets);
  const startedMs = ctx.clock.monotonic();
  const answer = await send(ctx, { url, headers, body, isPublicOnly: identity.role !== 'operator' });
  return {
    url,
    payload,
    status: answer.httpStatus,
    response_body: answer.httpStatus === null ? null : answer.body,
    error: answer.error,
    duration_ms: Math.round(ctx.clock.monotonic() - startedMs),
  };
}

async function send(
  { clock, allowPrivateWebhooks }: CoreContext,
  request: { url: string; headers: Record<string, string>; body: string; isPublicOnly: boolean },
) {
  const client = createGuardedClient({ clock, allowPrivate: allowPrivateWebhooks });
  try {
    return storedAnswer(await client.send(request));
  } finally {
    await client.close();
  }
}
