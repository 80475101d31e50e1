/** The only translation of a webhook endpoint's row to the API. */
import { isoMicroseconds, type EndpointEvent, type EndpointRecord } from '@parley/contracts';
import type { WebhookEndpointRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { SealedSecrets } from './sign-webhook.ts';
import { describeSecret } from './webhook-secret.ts';

/** The record, without the secret. */
export function endpointRecord(ctx: CoreContext, row: WebhookEndpointRow): EndpointRecord {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events as EndpointEvent[],
    assistant_ids: row.assistantIds,
    campaign_ids: row.campaignIds,
    is_enabled: row.isEnabled,
    signing_secret: describeSecret(ctx, secretsOf(row)),
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}

/** The secrets of an endpoint, in the form of those of users. */
export function secretsOf(row: WebhookEndpointRow): SealedSecrets {
  const { secretSealed, secretOldSealed, secretOldUntil } = row;
  return {
    webhookSecretSealed: secretSealed,
    webhookSecretOldSealed: secretOldSealed,
    webhookSecretOldUntil: secretOldUntil,
  };
}
