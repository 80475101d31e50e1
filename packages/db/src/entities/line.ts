/** SIP trunks. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant, looseId, optionalInstant, ownerOrShared } from './columns.ts';

/** A SIP peer for outbound and inbound calls. */
export const Trunk = defineEntity({
  name: 'Trunk',
  tableName: 'trunks',
  properties: {
    id: generatedId(),
    /** Null: shared by all users. */
    userId: ownerOrShared,
    name: p.text(),
    host: p.text(),
    /** Null: SRV records decide (RFC 3263), without them the default port of the transport. */
    port: p.integer().strictNullable(),
    /** `host` or `host:port`, tried in this order after the first. */
    otherHosts: p.array().default([]),
    /** 1 to 100; of several trunks for a call, the one with the smallest value is used. */
    priority: p.integer().default(50),
    transport: p.enum(['udp', 'tcp', 'tls']),
    /** Over TLS: the certificate must be trusted and contain the host. */
    tlsVerify: p.boolean().default(true),
    /** `required`: SRTP with keys in SDP (RFC 4568), only over TLS. */
    mediaEncryption: p.enum(['none', 'required']).default('none'),
    /** Offered and accepted, in order of preference. Empty: G.711, accepted in the order of the far end. */
    codecs: p.array().default([]),
    username: p.text().strictNullable(),
    /** The user name in answers to digest challenges. Null: `username`. */
    authUsername: p.text().strictNullable(),
    passwordSealed: p.text().strictNullable(),
    /** `fictional`: only the North American numbers that are reserved for fiction (NPA-555-0100 to 0199). */
    reach: p.enum(['fictional', 'any']),
    /** The caller number if neither assistant nor user has one on this trunk. */
    callerNumber: p.text().strictNullable(),
    /** In which the numbers of inbound calls are read, upper case. Null: in the country of the called number. */
    defaultCountry: p.text().strictNullable(),
    /** Concurrent calls in both directions. Null: no limit. */
    maxCalls: p.integer().strictNullable(),
    /** INVITEs per second. Null: no limit. */
    maxCps: p.integer().strictNullable(),
    /** Limits beside those of all trunks, of which the tighter one applies. A day is UTC's. Null: those of all trunks only. */
    maxCallsPerSecond: p.integer().strictNullable(),
    maxCallsPerDay: p.integer().strictNullable(),
    maxCostPerDay: p.decimal('number').columnType('numeric(12,6)').strictNullable(),
    /** A call ends when neither RTP nor RTCP arrives for this time. Null: 20 s. */
    rtpTimeoutSeconds: p.integer().strictNullable(),
    /** How keys are sent; see `DtmfSetting` of telephony. */
    dtmf: p.enum(['auto', 'rfc4733', 'info', 'inband']).default('auto'),
    /** How numbers are written to the trunk. */
    numberFormat: p.enum(['e164', 'e164_without_plus', 'national']).default('e164'),
    /** Where the number of an inbound caller is read; see `inbound-numbers.rules.ts` of core. */
    inboundCallerSource: p.enum(['from', 'p_asserted_identity', 'remote_party_id']).default('from'),
    /** Where the called number of an inbound call is looked for first. */
    inboundCalledSource: p
      .enum(['request_uri', 'to', 'p_called_party_id', 'diversion'])
      .default('request_uri'),
    /** Which headers contain the number of the caller; see `CallerHeader` of telephony. */
    outboundCallerHeader: p.enum(['from', 'p_asserted_identity', 'p_preferred_identity']).default('from'),
    /** The user part of From. Null: the number of the caller. */
    fromUser: p.text().strictNullable(),
    /** The display name in From. */
    fromName: p.text().strictNullable(),
    /** Whom the far end may name in a REFER, so that a call goes on with them; see authorize-referral.ts of core. */
    incomingRefer: p.enum(['refused', 'numbers', 'numbers_and_extensions']).default('refused'),
    /** The trunk registers its user name, so that the far end sends the calls of that account here. */
    registers: p.boolean().default(false),
    /** `host` or `host:port`, IPv6 with a port in brackets. Null: host and port of the trunk. */
    registrar: p.text().strictNullable(),
    /** The time for which a registration is asked, seconds. */
    registerExpires: p.integer().default(300),
    /** With `maxCps`: the earliest time of the next INVITE, by the clock of the database. */
    nextInviteAt: optionalInstant(),
    /** The trunk failed most calls; see trunk-health.rules.ts. */
    pausedUntil: optionalInstant(),
    /** The length of the latest pause; 0: the trunk is healthy. */
    pauseSeconds: p.integer().default(0),
    isTest: p.boolean().default(false),
    /** It is removed together with its number, by the id of either. */
    isOneLine: p.boolean().default(false),
    createdAt: instant(),
    /** When the far end first answered an INVITE without a fault of the trunk. Null: not since its settings changed. */
    firstSuccessAt: optionalInstant(),
  },
});

/** Which voice process registers a trunk, and with what success. Its holder writes it; see registration-lease.ts of core. */
export const TrunkRegistration = defineEntity({
  name: 'TrunkRegistration',
  tableName: 'trunk_registrations',
  properties: {
    trunkId: () => p.manyToOne(Trunk).mapToPk().joinColumn('trunk_id').deleteRule('cascade').primary(),
    /** New at each start of a voice process. */
    holderId: p.uuid(),
    /** The end of the lease by the clock of the database. Afterwards another process may become the holder. */
    leaseUntil: instant(),
    state: p.enum(['registering', 'registered', 'failed']),
    /** The status of the latest final response to REGISTER. */
    sipStatus: p.integer().strictNullable(),
    /** A sentence about the latest failure. */
    reason: p.text().strictNullable(),
    /** When the trunk came into this state. */
    since: instant(),
    /** Until when the registrar has granted the account and the settings of now. */
    expiresAt: optionalInstant(),
  },
});

/** The outcomes of call setups on a trunk, for its health; stored for a few minutes. */
export const TrunkOutcome = defineEntity({
  name: 'TrunkOutcome',
  tableName: 'trunk_outcomes',
  indexes: [{ name: 'trunk_outcomes_trunk_id_at_index', properties: ['trunkId', 'at'] }],
  properties: {
    trunkId: looseId().primary().autoincrement(false),
    callId: looseId().primary().autoincrement(false),
    at: instant(),
    /** True for a fault of the trunk: no response, or a response that reports a failure. */
    isFault: p.boolean(),
  },
});

/** A row of {@link Trunk}. */
export type TrunkRow = InferEntity<typeof Trunk>;
/** A row of {@link TrunkRegistration}. */
export type TrunkRegistrationRow = InferEntity<typeof TrunkRegistration>;
