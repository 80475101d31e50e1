/** Numbers that none of a user's calls may go to. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant, owner } from './columns.ts';

export const DoNotCall = defineEntity({
  name: 'DoNotCall',
  tableName: 'do_not_call',
  properties: {
    userId: () => owner().primary(),
    /** E.164. */
    phoneNumber: p.text().primary(),
    /** Free text of the owner's; may be empty. */
    reason: p.text(),
    createdAt: instant(),
  },
});

/** A row of {@link DoNotCall}. */
export type DoNotCallRow = InferEntity<typeof DoNotCall>;
