/** When numbers were dialed, for the limits of attempts per number of a user. Kept for a week. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, owner } from './columns.ts';

export const NumberAttempt = defineEntity({
  name: 'NumberAttempt',
  tableName: 'number_attempts',
  properties: {
    userId: () => owner().primary(),
    /** E.164. */
    phoneNumber: p.text().primary(),
    at: instant().primary().index(),
  },
});
