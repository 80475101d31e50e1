/** What the operator of an installation allows to be dialed; one row. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

export const DialPolicy = defineEntity({
  name: 'DialPolicy',
  tableName: 'dial_policy',
  checks: [{ name: 'dial_policy_id_check', expression: 'id = 1' }],
  properties: {
    /** Always 1. */
    id: p.integer().primary().autoincrement(false),
    /** Two letters each. Null: the countries of the operator's own numbers. */
    allowedCountries: p.array().columnType('text[]').strictNullable(),
    /** `numberKinds` of contracts. */
    blockedKinds: p.array().columnType('text[]'),
    /** Text messages of each user in a day of UTC. Null: no limit. */
    smsPerDay: p.integer().strictNullable().default(200),
  },
});

/** A row of {@link DialPolicy}. */
export type DialPolicyRow = InferEntity<typeof DialPolicy>;
