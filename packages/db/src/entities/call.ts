/**
 * Calls. `calls` is the history, partitioned by month; its key (id, created_at) is carried by its children, without
 * foreign keys, so that a month can be dropped. `live_calls` has one row from dial to hang-up; limits count these rows.
 */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant, looseId, optionalInstant } from './columns.ts';
import type { StoredCost } from './price.ts';

/** The ten states of a call in the API. */
export const CALL_STATUSES = [
  'initiated',
  'ringing',
  'busy',
  'in-progress',
  'ended',
  'completed',
  'ended_by_customer',
  'ended_by_assistant',
  'no-answer',
  'failed',
] as const;
/** One of {@link CALL_STATUSES}. */
export type CallStatus = (typeof CALL_STATUSES)[number];

/** What networks say about the number of a caller: `CallerIdentity` of telephony. */
export interface StoredCallerIdentity {
  verstat: string | null;
  attestation: 'A' | 'B' | 'C' | null;
  signature: 'none' | 'not_verified' | 'valid' | 'invalid';
  originId: string | null;
}

/** One stored turn of a conversation. */
export interface StoredTurn {
  sender: 'bot' | 'human';
  /** Milliseconds since 1970-01-01 UTC. */
  startedAtMs: number;
  /** Where the turn begins and ends in the recording, milliseconds. */
  startMs: number;
  endMs: number;
  text: string;
  /** True if the other side interrupted it; `text` is then the part that was played. */
  isInterrupted: boolean;
  /** Milliseconds from the end of the customer's speech to our first sound, by stage; empty for the customer's turns. */
  latencyMs: Record<string, number>;
}

/** One use of a tool in a call. Personal data, which is deleted with the call. */
export interface StoredToolCall {
  name: string;
  arguments: Record<string, unknown>;
  /** Milliseconds since the answer. */
  startMs: number;
  durationMs: number;
  isError: boolean;
  /** The result that the model received. */
  result: string;
}

const money = () => p.decimal('number').columnType('numeric(12,6)').default(0);

export const Call = defineEntity({
  name: 'Call',
  tableName: 'calls',
  partitionBy: {
    type: 'range',
    expression: 'created_at',
    // parley_ensure_call_partitions() creates the monthly partitions.
    partitions: [{ name: 'calls_default', values: 'default' }],
  },
  indexes: [
    // A backward scan returns the newest first. The filters of the list are included columns.
    {
      name: 'calls_user_id_created_at_id_index',
      properties: ['userId', 'createdAt', 'id'],
      include: ['status', 'type', 'assistantId', 'campaignId'],
    },
    {
      name: 'calls_by_client_index',
      properties: ['userId', 'clientPhoneNumber', 'createdAt', 'id'],
      include: ['status', 'type', 'assistantId', 'campaignId'],
    },
    {
      // Settled calls that `call_counts` does not include yet; always few.
      name: 'calls_unfinished_index',
      properties: ['userId', 'createdAt', 'id'],
      where: `status in ('initiated', 'ringing', 'in-progress', 'ended', 'ended_by_customer', 'ended_by_assistant')`,
    },
    { name: 'calls_user_id_changed_at_index', properties: ['userId', 'changedAt'] },
    { name: 'calls_lead_id_index', properties: ['leadId'], where: 'lead_id is not null' },
    {
      // Calls that the sweep completes; almost always empty.
      name: 'calls_unsettled_index',
      properties: ['endedAt'],
      where: `status in ('ended', 'ended_by_customer', 'ended_by_assistant')`,
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    createdAt: instant().primary(),
    userId: looseId(),
    assistantId: looseId(),
    assistantName: p.text(),
    campaignId: looseId().strictNullable(),
    campaignName: p.text().strictNullable(),
    leadId: looseId().strictNullable(),
    /** The round of attempts of the campaign, from 1. */
    attempt: p.integer().strictNullable(),
    /** Why the campaign dialed at that time; `DialDecision` of core. */
    dialDecision: p.json<unknown>().strictNullable(),
    type: p.enum(['inbound', 'outbound', 'web']),
    status: p.enum(CALL_STATUSES),
    /** E.164; empty for a web call. */
    assistantPhoneNumber: p.text(),
    clientPhoneNumber: p.text(),
    /** Inbound: the number that diverted the call first, E.164 where it is a number. */
    divertedFrom: p.text().strictNullable(),
    /** Inbound: the name that the INVITE shows; not verified. */
    callerName: p.text().strictNullable(),
    /** Inbound: what the networks say about the number of the caller. */
    callerIdentity: p.json<StoredCallerIdentity>().strictNullable(),
    answeredAt: optionalInstant(),
    endedAt: optionalInstant(),
    durationSeconds: p.integer().default(0),
    transcript: p.text().default(''),
    turns: p.json<StoredTurn[]>().defaultRaw(`'[]'::jsonb`),
    toolCalls: p.json<StoredToolCall[]>().defaultRaw(`'[]'::jsonb`),
    /** The variables of the request. */
    inputVariables: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    /** The variables that were collected during the call. */
    variables: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    evaluation: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    webhookResponse: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    carrierCost: money(),
    totalCost: money(),
    /** The parts of both, with the prices at that time. */
    costs: p.json<StoredCost[]>().defaultRaw(`'[]'::jsonb`),
    answeredBy: p.enum(['human', 'machine', 'unknown']).default('unknown'),
    endedBy: p.enum(['customer', 'assistant', 'system']).strictNullable(),
    /** The end reason, for example `customer_hung_up` or `max_duration`. */
    endedReason: p.text().strictNullable(),
    /** The assistant at the beginning of the call; `CallConfiguration` of core. */
    configuration: p.json<unknown>(),
    changedAt: instant(),
    updatedAt: instant(),
  },
});

/** The timeline of a call. Partitioned like `calls`, by the call's own month. */
export const CallEvent = defineEntity({
  name: 'CallEvent',
  tableName: 'call_events',
  partitionBy: {
    type: 'range',
    expression: 'call_created_at',
    partitions: [{ name: 'call_events_default', values: 'default' }],
  },
  properties: {
    callId: looseId().primary(),
    callCreatedAt: instant().primary(),
    /** From the sequence `call_event_ids`: the order of writing. */
    id: p.bigint('number').primary().autoincrement(false),
    at: instant(),
    type: p.text(),
    detail: p.json<Record<string, unknown>>(),
  },
});

/** Numbers of settled calls, without the pending changes of {@link CallCountChange}. Written by triggers and one job. */
export const CallCount = defineEntity({
  name: 'CallCount',
  tableName: 'call_counts',
  properties: {
    userId: looseId().primary(),
    /** UTC's. */
    day: p.date().primary(),
    status: p.text().primary(),
    type: p.text().primary(),
    assistantId: looseId().primary(),
    /** 0: none, because a key cannot be null. */
    campaignId: looseId().primary(),
    outcome: p.text().primary(),
    count: p.integer(),
  },
});

/** The sums of {@link CallCount} by the day. */
export const CallDayCount = defineEntity({
  name: 'CallDayCount',
  tableName: 'call_day_counts',
  properties: {
    userId: looseId().primary(),
    /** UTC's. */
    day: p.date().primary(),
    count: p.integer(),
  },
});

/** A change that is not included in the counts yet. */
export const CallCountChange = defineEntity({
  name: 'CallCountChange',
  tableName: 'call_count_changes',
  properties: {
    id: generatedId(),
    userId: looseId(),
    day: p.date(),
    status: p.text(),
    type: p.text(),
    assistantId: looseId(),
    campaignId: looseId(),
    outcome: p.text(),
    change: p.integer(),
  },
});

/** One row from dial to hang-up; a bridge has a second one. Not partitioned. All limits count these rows. */
export const LiveCall = defineEntity({
  name: 'LiveCall',
  tableName: 'live_calls',
  indexes: [
    { name: 'live_calls_user_id_index', properties: ['userId'] },
    { name: 'live_calls_campaign_id_index', properties: ['campaignId'], where: 'campaign_id is not null' },
    { name: 'live_calls_trunk_id_index', properties: ['trunkId'] },
    { name: 'live_calls_voice_process_id_index', properties: ['voiceProcessId'] },
    {
      name: 'live_calls_bridged_call_id_index',
      properties: ['bridgedCallId'],
      where: 'bridged_call_id is not null',
    },
    {
      name: 'live_calls_queue_number_id_index',
      properties: ['queueNumberId'],
      where: 'queue_number_id is not null',
    },
  ],
  uniques: [
    { name: 'live_calls_sip_call_id_sip_invite_unique', properties: ['sipCallId', 'sipInvite'] },
    {
      name: 'live_calls_one_call_per_number',
      properties: ['userId', 'clientPhoneNumber'],
      where: `type = 'outbound' and starts_with(client_phone_number, '+')`,
    },
  ],
  properties: {
    /** The second leg of a bridge has an id that no call of the history has. */
    callId: looseId().primary().autoincrement(false),
    callCreatedAt: instant(),
    userId: looseId(),
    assistantId: looseId(),
    campaignId: looseId().strictNullable(),
    leadId: looseId().strictNullable(),
    type: p.enum(['inbound', 'outbound', 'web']),
    clientPhoneNumber: p.text(),
    trunkId: looseId().strictNullable(),
    /** The Call-ID of the one INVITE this call may send or has received. */
    sipCallId: p.text(),
    /** Inbound calls over SIP: what tells that INVITE from others with the same Call-ID. Otherwise empty. */
    sipInvite: p.text().default(''),
    voiceProcessId: p.uuid().strictNullable(),
    /** When the call was assigned to that process. */
    intentAt: optionalInstant(),
    /** When the INVITE was allowed to leave. From then on the attempt counts. */
    inviteSentAt: optionalInstant(),
    answeredAt: optionalInstant(),
    /** `StoredDialog` of telephony, with which another process can send BYE. */
    dialog: p.json<unknown>().strictNullable(),
    hangUpRequestedAt: optionalInstant(),
    hangUpReason: p.text().strictNullable(),
    /** Web calls only: SHA-256 of the ticket, removed at its use. */
    ticketHash: p.blob().strictNullable().unique(),
    ticketExpiresAt: optionalInstant(),
    createdAt: instant(),
    /** The call whose caller this leg was dialed for; null for calls themselves. */
    bridgedCallId: looseId().strictNullable(),
    /** The API token that asked for the call or started its campaign; its limits count the dial. */
    tokenId: looseId().strictNullable(),
    /** Inbound calls to a number with a queue: the number, whose conversations the queue limits. */
    queueNumberId: looseId().strictNullable(),
    /** Since when the caller waits; null: not, or not any more. */
    queuedAt: optionalInstant(),
    /** It is the turn of the caller, and the voice process has no free slot: the next ones need not wait for it. */
    isQueueStalled: p.boolean().default(false),
    /** How often another voice process went on with the call. */
    takeOvers: p.integer().default(0),
    /** The id at the carrier of an outbound call that it streams to us, once it is known. */
    carrierCallId: p.text().strictNullable(),
  },
});

/** The conversation of a live call, as its voice process last stored it, so that another one can go on with the call. */
export const CallProgress = defineEntity({
  name: 'CallProgress',
  tableName: 'call_progress',
  properties: {
    callId: () => p.manyToOne(LiveCall).primary().mapToPk().joinColumn('call_id').deleteRule('cascade'),
    /** `CallProgress` of core, sealed. */
    progress: p.json<unknown>(),
    updatedAt: instant(),
  },
});

export const Recording = defineEntity({
  name: 'Recording',
  tableName: 'recordings',
  properties: {
    callId: looseId().primary().autoincrement(false),
    callCreatedAt: instant(),
    userId: looseId(),
    /** The key in the recording storage. */
    storageKey: p.text(),
    sampleRate: p.integer(),
    durationMs: p.integer(),
    isFinished: p.boolean(),
    /** The worker has removed the noise of the customer's channel. */
    isNoiseRemoved: p.boolean().default(false),
    /** Random key of the signed URL, which grants access to the recording. */
    urlSecret: p.blob(),
    createdAt: instant(),
  },
});

/** Rows as `select *` reads them. */
export type CallRow = InferEntity<typeof Call>;
/** A row of {@link CallEvent}. */
export type CallEventRow = InferEntity<typeof CallEvent>;
/** A row of {@link LiveCall}. */
export type LiveCallRow = InferEntity<typeof LiveCall>;
/** A row of {@link Recording}. */
export type RecordingRow = InferEntity<typeof Recording>;
