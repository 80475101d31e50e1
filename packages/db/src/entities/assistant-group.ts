/** Folders and labels, by which a user orders assistants. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant, owner } from './columns.ts';

export const AssistantGroup = defineEntity({
  name: 'AssistantGroup',
  tableName: 'assistant_groups',
  uniques: [{ name: 'assistant_groups_name_unique', properties: ['userId', 'kind', 'name'] }],
  properties: {
    id: generatedId(),
    userId: owner,
    kind: p.enum(['folder', 'label']),
    name: p.text(),
    color: p.text().strictNullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

/** A row of {@link AssistantGroup}. */
export type AssistantGroupRow = InferEntity<typeof AssistantGroup>;
