/** SIP trunks, and the phone numbers that belong to them. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant, looseId, optionalInstant, owner, ownerOrShared } from './columns.ts';

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
    /** Calls at once, in both directions. Null: no limit. */
    maxCalls: p.integer().strictNullable(),
    /** INVITEs that may leave in a second. Null: no limit. */
    maxCps: p.integer().strictNullable(),
    /** No INVITE leaves before, where `maxCps` is set; by the database's clock. */
    nextInviteAt: optionalInstant(),
    /** The trunk failed most calls; see trunk-health.rules.ts. */
    pausedUntil: optionalInstant(),
    /** How long the last pause was; 0: the trunk is healthy. */
    pauseSeconds: p.integer().default(0),
    isTest: p.boolean().default(false),
    createdAt: instant(),
  },
});

/** How the calls of a trunk began, for its health; kept for a few minutes. */
export const TrunkOutcome = defineEntity({
  name: 'TrunkOutcome',
  tableName: 'trunk_outcomes',
  indexes: [{ name: 'trunk_outcomes_trunk_id_at_index', properties: ['trunkId', 'at'] }],
  properties: {
    trunkId: looseId().primary().autoincrement(false),
    callId: looseId().primary().autoincrement(false),
    at: instant(),
    /** The trunk is to blame: it did not answer, or said that it could not. */
    isFault: p.boolean(),
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
