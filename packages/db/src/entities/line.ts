/** The ways out of the house: SIP trunks, and the phone numbers that belong to them. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant, owner, ownerOrShared } from './columns.ts';

/** A SIP peer that calls go out to and come in from. */
export const Trunk = defineEntity({
  name: 'Trunk',
  tableName: 'trunks',
  properties: {
    id: generatedId(),
    /** Null: everybody's calls may use it. */
    userId: ownerOrShared,
    name: p.text(),
    host: p.text(),
    port: p.integer(),
    transport: p.enum(['udp', 'tcp']),
    username: p.text().strictNullable(),
    passwordSealed: p.text().strictNullable(),
    /** `fictional`: only North America's numbers that belong to nobody (NPA-555-0100 to 0199). */
    reach: p.enum(['fictional', 'any']),
    /** The number shown when neither assistant nor user has one on this trunk. */
    callerNumber: p.text().strictNullable(),
    maxCalls: p.integer().strictNullable(),
    isTest: p.boolean().default(false),
    createdAt: instant(),
  },
});

export const PhoneNumber = defineEntity({
  name: 'PhoneNumber',
  tableName: 'phone_numbers',
  properties: {
    id: generatedId(),
    userId: () => owner().index(),
    trunkId: () => p.manyToOne(Trunk).mapToPk().joinColumn('trunk_id').deleteRule('cascade'),
    /** E.164 with `+`. */
    phoneNumber: p.text().unique(),
    /** Two letters, upper case. */
    countryCode: p.text(),
    typeLabel: p.enum(['Normal', 'SIP', 'Caller ID']),
    createdAt: instant(),
  },
});

/** A row of {@link Trunk}. */
export type TrunkRow = InferEntity<typeof Trunk>;
/** A row of {@link PhoneNumber}. */
export type PhoneNumberRow = InferEntity<typeof PhoneNumber>;
