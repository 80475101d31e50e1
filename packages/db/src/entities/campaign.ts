/** Campaigns, their leads, and the narrow queue of leads to dial. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { Assistant } from './assistant.ts';
import { document, generatedId, instant, looseId, optionalInstant, owner } from './columns.ts';

export const Campaign = defineEntity({
  name: 'Campaign',
  tableName: 'campaigns',
  indexes: [
    { name: 'campaigns_user_id_id_index', properties: ['userId', 'id'] },
    {
      name: 'campaigns_held_by_held_since_index',
      properties: ['heldBy', 'heldSince'],
      where: 'held_by is not null',
    },
  ],
  properties: {
    id: generatedId(),
    userId: owner,
    assistantId: () => p.manyToOne(Assistant).mapToPk().joinColumn('assistant_id'),
    name: p.text(),
    status: p.enum(['draft', 'in-progress', 'stopped', 'completed']),
    timezone: p.text(),
    maxCallsInParallel: p.integer(),
    isCompletedWithoutLeads: p.boolean(),
    /** `HH:MM:SS`, local to `timezone`. */
    allowedFrom: p.text(),
    allowedUntil: p.text(),
    /** Lower case English weekday names, in week order. */
    allowedDays: p.array().columnType('text[]'),
    maxRetries: p.integer(),
    retryIntervalSeconds: p.integer(),
    isVoicemailRetried: p.boolean(),
    isUnmetGoalRetried: p.boolean(),
    goalVariable: p.text().strictNullable(),
    /** Caller numbers, used in rotation; empty: the default number of the account. */
    phoneNumberIds: document<number[]>(),
    /** The number of dials with a caller number so far, which determines the next one. */
    callerTurn: p.integer().default(0),
    /** True if the calling hours also apply in the time zone of the called number. */
    isLeadTimezoneRespected: p.boolean().default(false),
    /** True if only numbers with a record of consent are called. */
    isConsentRequired: p.boolean().default(false),
    /** Replaces the disclosure message of the assistant. */
    disclosureMessage: p.text().strictNullable(),
    /** Results of calls that the owner defines, in their order. */
    dispositions: p.array().columnType('text[]').default([]),
    /** The shared limit that a ready lead waits for, as `gateKey` names it; null: none. */
    heldBy: p.text().strictNullable(),
    /** The beginning of the wait; the longest wait is served first. */
    heldSince: optionalInstant(),
    /** The API token that started it last; null: a signed-in user did. */
    tokenId: looseId().strictNullable(),
    createdAt: instant(),
    updatedAt: instant(),
    deletedAt: optionalInstant(),
  },
});

/** A campaign to refill: one row for every ended call, until the next refill. */
export const CampaignWake = defineEntity({
  name: 'CampaignWake',
  tableName: 'campaign_wakes',
  indexes: [{ name: 'campaign_wakes_campaign_id_index', properties: ['campaignId'] }],
  properties: {
    id: generatedId(),
    campaignId: looseId(),
    at: instant(),
  },
});

/** A person to call. A secondary contact is a lead with a parent. */
export const Lead = defineEntity({
  name: 'Lead',
  tableName: 'leads',
  indexes: [
    { name: 'leads_user_id_id_index', properties: ['userId', 'id'], where: 'parent_id is null' },
    { name: 'leads_campaign_id_id_index', properties: ['campaignId', 'id'], where: 'parent_id is null' },
    { name: 'leads_campaign_id_phone_number_index', properties: ['campaignId', 'phoneNumber'] },
    { name: 'leads_parent_id_index', properties: ['parentId'], where: 'parent_id is not null' },
    { name: 'leads_import_id_id_index', properties: ['importId', 'id'], where: 'import_id is not null' },
    { name: 'leads_dialing_index', properties: ['campaignId'], where: `dial_state = 'dialing'` },
  ],
  properties: {
    id: generatedId(),
    userId: owner,
    campaignId: () => p.manyToOne(Campaign).mapToPk().joinColumn('campaign_id').deleteRule('cascade'),
    parentId: () =>
      p.manyToOne(Lead).mapToPk().joinColumn('parent_id').deleteRule('cascade').strictNullable(),
    phoneNumber: p.text(),
    variables: document<Record<string, unknown>>(),
    status: p.enum(['created', 'completed', 'reached-max-retries']),
    /** The state of the lead in the dialer; not part of the API. */
    dialState: p.enum(['waiting', 'dialing', 'waiting-to-retry', 'blocked', 'done']),
    /** The number of counted attempts. */
    attempts: p.integer().default(0),
    /** Why the lead is not called, or how it ended, for example `do_not_call`. */
    dialReason: p.text().strictNullable(),
    /** Which import it came from. Without a foreign key: a million leads would each look it up. */
    importId: looseId().strictNullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

/** A claim deletes the row, a retry inserts it again with a later `readyAt`. */
export const DialQueueEntry = defineEntity({
  name: 'DialQueueEntry',
  tableName: 'dial_queue',
  uniques: [{ name: 'dial_queue_lead_id_unique', properties: ['leadId'] }],
  properties: {
    campaignId: () =>
      p.manyToOne(Campaign).mapToPk().joinColumn('campaign_id').deleteRule('cascade').primary(),
    readyAt: instant().primary(),
    leadId: () => p.manyToOne(Lead).mapToPk().joinColumn('lead_id').deleteRule('cascade').primary(),
    /** The round, from 1. `leadId` is the lead or the contact that is dialed next in the round. */
    attempt: p.integer(),
  },
});

/** Numbers of a campaign's main leads, without the pending {@link LeadCountChange}. Written by triggers and one job. */
export const LeadCount = defineEntity({
  name: 'LeadCount',
  tableName: 'lead_counts',
  properties: {
    campaignId: () =>
      p.manyToOne(Campaign).mapToPk().joinColumn('campaign_id').deleteRule('cascade').primary(),
    leads: p.integer(),
    completed: p.integer(),
    reachedMaxRetries: p.integer(),
  },
});

/** A change that is not included in the counts yet. */
export const LeadCountChange = defineEntity({
  name: 'LeadCountChange',
  tableName: 'lead_count_changes',
  properties: {
    id: generatedId(),
    campaignId: looseId(),
    leads: p.integer(),
    completed: p.integer(),
    reachedMaxRetries: p.integer(),
  },
});

/** A campaign as stored. */
export type CampaignRow = InferEntity<typeof Campaign>;
/** A lead or a secondary contact as stored. */
export type LeadRow = InferEntity<typeof Lead>;
