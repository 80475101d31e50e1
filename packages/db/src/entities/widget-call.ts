/** The calls of visitors of web pages, for the limits of widgets. Kept for an hour. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import { Assistant } from './assistant.ts';
import { instant, looseId, owner } from './columns.ts';

export const WidgetCall = defineEntity({
  name: 'WidgetCall',
  tableName: 'widget_calls',
  indexes: [
    { name: 'widget_calls_assistant_id_placed_at_index', properties: ['assistantId', 'placedAt'] },
    { name: 'widget_calls_placed_at_index', properties: ['placedAt'] },
    { name: 'widget_calls_user_id_index', properties: ['userId'] },
  ],
  properties: {
    callId: looseId().primary().autoincrement(false),
    userId: owner,
    assistantId: () => p.manyToOne(Assistant).mapToPk().joinColumn('assistant_id').deleteRule('cascade'),
    /** SHA-256 of the assistant and the network address. */
    visitor: p.blob(),
    placedAt: instant(),
  },
});
