/** Numbers that no call of a user may dial. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant, looseId, owner } from './columns.ts';

export const DoNotCall = defineEntity({
  name: 'DoNotCall',
  tableName: 'do_not_call',
  properties: {
    userId: () => owner().primary(),
    /** E.164. */
    phoneNumber: p.text().primary(),
    /** Free text of the owner, possibly empty. */
    reason: p.text(),
    createdAt: instant(),
    /** The call in which the person asked for it. */
    callId: looseId().strictNullable(),
  },
});

/** A row of {@link DoNotCall}. */
export type DoNotCallRow = InferEntity<typeof DoNotCall>;
