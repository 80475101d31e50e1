/** How many inbound calls were refused, by reason. It contains neither numbers nor addresses. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant } from './columns.ts';

export const InboundRefusal = defineEntity({
  name: 'InboundRefusal',
  tableName: 'inbound_refusals',
  properties: {
    /** See `InboundRefusalReason` of core. */
    reason: p.text().primary(),
    count: p.bigint('number'),
    latestAt: instant(),
  },
});

/** A row of {@link InboundRefusal}. */
export type InboundRefusalRow = InferEntity<typeof InboundRefusal>;
