/** Addresses of a user to which events are reported, each with a selection of events and a secret of its own. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { document, generatedId, instant, optionalInstant, owner } from './columns.ts';

export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  indexes: [{ name: 'webhook_endpoints_user_id_id_index', properties: ['userId', 'id'] }],
  properties: {
    id: generatedId(),
    userId: owner,
    url: p.text(),
    /** May be empty. */
    description: p.text(),
    /** Names of events. */
    events: document<string[]>(),
    /** Only events of these assistants; empty: of all. */
    assistantIds: document<number[]>(),
    /** Only events of these campaigns; empty: of all, and of calls without a campaign. */
    campaignIds: document<number[]>(),
    isEnabled: p.boolean(),
    secretSealed: p.text(),
    /** The secret before, which signs too until `secretOldUntil`. */
    secretOldSealed: p.text().strictNullable(),
    secretOldUntil: optionalInstant(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

/** A row of {@link WebhookEndpoint}. */
export type WebhookEndpointRow = InferEntity<typeof WebhookEndpoint>;
