/** Versions of assistants. Each row has what its change replaced, so that it is as large as the change. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { Assistant } from './assistant.ts';
import { document, generatedId, instant, looseId, owner } from './columns.ts';

export const AssistantVersion = defineEntity({
  name: 'AssistantVersion',
  tableName: 'assistant_versions',
  indexes: [{ name: 'assistant_versions_user_id_index', properties: ['userId'] }],
  uniques: [{ name: 'assistant_versions_version_unique', properties: ['assistantId', 'version'] }],
  properties: {
    id: generatedId(),
    userId: owner,
    assistantId: () => p.manyToOne(Assistant).mapToPk().joinColumn('assistant_id').deleteRule('cascade'),
    /** From 1, counted for each assistant. */
    version: p.integer(),
    /** The API token that made the change; null for the admin app. */
    tokenId: looseId().strictNullable(),
    /** The version that was restored. */
    restoredVersion: p.integer().strictNullable(),
    /** The names of the changed settings, as in the API. */
    changed: p.array().columnType('text[]').$type<string[]>(),
    /** The values of the changed settings before the change, as in the API, but with sealed headers of tools. */
    replaced: document<Record<string, unknown>>(),
    createdAt: instant(),
  },
});

/** A row of {@link AssistantVersion}. */
export type AssistantVersionRow = InferEntity<typeof AssistantVersion>;
