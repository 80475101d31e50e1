/** Campaigns as they are read. See docs/api.md, "Campaigns". */
import { z } from 'zod';
import { callOutcomes } from './call-states.ts';
import { isoMicrosecondsField } from './dates.ts';

/** `draft` → `in-progress` (start) → `stopped` (stop) → `in-progress`; `in-progress` → `completed`. */
export const campaignStatuses = ['draft', 'in-progress', 'stopped', 'completed'] as const;

/** One of {@link campaignStatuses}. */
export type CampaignStatus = (typeof campaignStatuses)[number];

/** In week order, in which they are answered too. */
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

const timeOfDay = z
  .string()
  .regex(/^\d{2}:\d{2}:\d{2}$/)
  .meta({ examples: ['09:00:00'] });

/** The record of the list: exactly the fields of the specification. */
export const campaignRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    status: z.enum(campaignStatuses),
    max_calls_in_parallel: z.int(),
    mark_complete_when_no_leads: z.boolean(),
    allowed_hours_start_time: timeOfDay,
    allowed_hours_end_time: timeOfDay,
    allowed_days: z.array(z.enum(weekdays)),
    max_retries: z.int(),
    /** Seconds. */
    retry_interval: z.int(),
    created_at: isoMicrosecondsField,
    updated_at: isoMicrosecondsField,
  })
  .meta({ id: 'Campaign' });

/** How far a campaign is. Leads are counted without their secondary contacts. */
export const campaignProgress = z
  .strictObject({
    leads: z.int(),
    /** The number of leads by status. */
    created: z.int(),
    completed: z.int(),
    reached_max_retries: z.int(),
    /** What the dialer is doing with the leads that are `created`. */
    waiting: z.int(),
    dialing: z.int(),
    waiting_to_retry: z.int(),
    blocked: z.int(),
    /** Leads that are being called or were called before, of any status. */
    called: z.int(),
    /** From dial to hang-up. */
    live_calls: z.int(),
    /** The calls that have ended, by outcome; an outcome without calls is absent. */
    outcomes: z
      .partialRecord(z.enum(callOutcomes), z.int())
      .meta({ examples: [{ talked: 38, no_answer: 12 }] }),
    /** The calls by disposition: those of the list in its order, then those that the list has no longer. */
    dispositions: z
      .array(z.strictObject({ disposition: z.string(), calls: z.int() }).meta({ id: 'DispositionCount' }))
      .meta({ examples: [[{ disposition: 'Interested', calls: 12 }]] }),
  })
  .meta({ id: 'CampaignProgress' });

/** What only its owner can change. */
const campaignObstacle = z
  .strictObject({
    reason: z.enum(['assistant_not_ready', 'no_allowed_time', 'nobody_callable']),
    explanation: z.string(),
  })
  .meta({ id: 'CampaignObstacle' });

/** What the open leads of a campaign wait for. */
export const campaignWaits = [
  'start',
  'calling_hours',
  'campaign_calls',
  'account_calls',
  'sip_trunk',
  'voice_capacity',
  'retry',
] as const;

/** One of {@link campaignWaits}. */
export type CampaignWait = (typeof campaignWaits)[number];

/** One campaign: the record, what else can be written, and how far it is. */
export const campaignDetail = campaignRecord
  .extend({
    assistant_id: z.int(),
    /** IANA name. */
    timezone: z.string(),
    phone_number_ids: z.array(z.int()),
    retry_on_voicemail: z.boolean(),
    retry_on_goal_incomplete: z.boolean(),
    goal_completion_variable: z.string().nullable(),
    respect_lead_timezone: z.boolean(),
    require_consent: z.boolean(),
    disclosure_message: z.string().nullable(),
    dispositions: z.array(z.string()),
    progress: campaignProgress,
    /** When the calling hours begin next; null within them, and when they never do. */
    opens_at: isoMicrosecondsField.nullable(),
    /** What most open leads wait for; null without waiting leads, and where each lead has its own reason. */
    waiting_for: z.enum(campaignWaits).nullable(),
    /** Why it can never finish without a change; null if it can. */
    obstacle: campaignObstacle.nullable(),
  })
  .meta({ id: 'CampaignDetail' });

/** A campaign as the list has it. */
export type CampaignRecord = z.output<typeof campaignRecord>;
/** How far a campaign is. */
export type CampaignProgress = z.output<typeof campaignProgress>;
/** One campaign with its progress. */
export type CampaignDetail = z.output<typeof campaignDetail>;
