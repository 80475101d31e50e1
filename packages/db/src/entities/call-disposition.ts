/** The result of a call, one of the list of its campaign. A table of its own: few calls have one, and lists are counted by it. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant, looseId } from './columns.ts';

export const CallDisposition = defineEntity({
  name: 'CallDisposition',
  tableName: 'call_dispositions',
  indexes: [
    {
      name: 'call_dispositions_campaign_id_disposition_index',
      properties: ['campaignId', 'disposition'],
    },
    { name: 'call_dispositions_user_id_disposition_index', properties: ['userId', 'disposition'] },
  ],
  properties: {
    callId: looseId().primary().autoincrement(false),
    callCreatedAt: instant(),
    userId: looseId(),
    campaignId: looseId(),
    /** As the list of the campaign named it then. */
    disposition: p.text(),
    /** `evaluation`: chosen by the model, or collected in the call; `person`: set by hand, which the evaluation never replaces. */
    source: p.enum(['evaluation', 'person']),
    setAt: instant(),
  },
});

/** A row of {@link CallDisposition}. */
export type CallDispositionRow = InferEntity<typeof CallDisposition>;
