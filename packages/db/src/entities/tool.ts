/** Tools of an account, which any of its assistants may use. */
import { defineEntity, type InferEntity } from '@mikro-orm/postgresql';
import type { AssistantTool } from './assistant.ts';
import { document, generatedId, instant, owner } from './columns.ts';

export const Tool = defineEntity({
  name: 'Tool',
  tableName: 'tools',
  indexes: [{ name: 'tools_user_id_id_index', properties: ['userId', 'id'] }],
  properties: {
    id: generatedId(),
    userId: owner,
    /** An `http_request`, stored like a tool in an assistant's own list. */
    tool: document<AssistantTool>(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

/** A row of {@link Tool}. */
export type ToolRow = InferEntity<typeof Tool>;
