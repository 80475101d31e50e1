/**
 * Sends the event `webhook.test` to the webhook of an assistant or to a webhook endpoint, and returns the answer. It is sent
 * once, signed like every webhook, and is not in the log of deliveries, because it reports nothing.
 */
import { randomUUID } from 'node:crypto';
import { isoMicroseconds, type WebhookTestPayload, type WebhookTestResult } from '@parley/contracts';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { findAssistant } from '../assistants/find-assistant.ts';
import { isDisarmed } from '../capacity/disarmed.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { secretsOf } from './endpoint-record.ts';
import { findEndpointRow } from './endpoints.ts';
import { validSecrets, webhookHeaders, type SealedSecrets } from './sign-webhook.ts';
import { storedAnswer } from '../shared/stored-answer.ts';
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
  const sealed = await loadWebhookSecrets(ctx.db, identity.userId);
  return sendTest(ctx, identity, { url, sealed, assistantId, endpointId: null });
}

/**
 * Also to an endpoint that is switched off.
 *
 * @throws DomainError `not-found` for an endpoint that is missing or another user's; `conflict` in a disarmed installation
 */
export async function testEndpoint(
  ctx: CoreContext,
  identity: Identity,
  endpointId: number,
): Promise<WebhookTestResult> {
  const row = await findEndpointRow(ctx, identity, endpointId);
  return sendTest(ctx, identity, { url: row.url, sealed: secretsOf(row), assistantId: null, endpointId });
}

interface TestReceiver {
  url: string;
  sealed: SealedSecrets;
  assistantId: number | null;
  endpointId: number | null;
}

async function sendTest(
  ctx: CoreContext,
  identity: Identity,
  { url, sealed, assistantId, endpointId }: TestReceiver,
): Promise<WebhookTestResult> {
  if (await isDisarmed(ctx.db))
    throw new DomainError(
      'conflict',
      'This installation is a restored copy that sends no webhooks. Arm it first.',
    );
  const at = now(ctx);
  const payload: WebhookTestPayload = {
    event: 'webhook.test',
    assistant_id: assistantId,
    endpoint_id: endpointId,
    sent_at: isoMicroseconds(at),
  };
  const body = JSON.stringify(payload);
  const headers = webhookHeaders({ id: randomUUID(), body, at }, validSecrets(ctx.secretBox, sealed, at));
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
