/** Leads as they are read. A secondary contact has exactly the six fields of the API reference (docs/api.md, "Leads"). */
import { z } from 'zod';
import type { CallOutcome } from './call-record.ts';
import { localDateTimeField } from './dates.ts';
import { jsonObject } from './fields.ts';
import type { leadStates } from './form-choices.ts';

/** The state of a lead as its owner sees it; the dialer's state is separate. */
export const leadStatuses = ['created', 'completed', 'reached-max-retries'] as const;

/** One of {@link leadStatuses}. */
export type LeadStatus = (typeof leadStatuses)[number];

/** One of {@link leadStates}. */
export type LeadState = (typeof leadStates)[number];

/** A contact to call when the lead itself is not reached. */
export const secondaryContactRecord = z
  .strictObject({
    id: z.int(),
    /** E.164. */
    phone_number: z.string(),
    variables: jsonObject,
    status: z.enum(leadStatuses),
    created_at: localDateTimeField,
    updated_at: localDateTimeField,
  })
  .meta({ id: 'SecondaryContact' });

/** A lead's campaign, as the lead shows it. */
const leadCampaign = z.strictObject({ id: z.int(), name: z.string() }).meta({ id: 'LeadCampaign' });

/** A lead with its campaign and its contacts. */
export const leadRecord = z
  .strictObject({
    id: z.int(),
    campaign_id: z.int(),
    phone_number: z.string(),
    variables: jsonObject,
    status: z.enum(leadStatuses),
    created_at: localDateTimeField,
    updated_at: localDateTimeField,
    campaign: leadCampaign,
    secondary_contacts: z.array(secondaryContactRecord),
  })
  .meta({ id: 'Lead' });

/** A secondary contact as it is read. */
export type SecondaryContactRecord = z.output<typeof secondaryContactRecord>;
/** A lead as it is read. */
export type LeadRecord = z.output<typeof leadRecord>;

/** What the admin app does with many leads: `restart` sets them back to be called, `end` stops calling them. */
export type LeadsAction =
  | { type: 'delete' }
  | { type: 'restart' }
  | { type: 'end' }
  | { type: 'move'; campaign_id: number };

/** What became of the leads of one request. */
export interface ChangedLeads {
  changed: number;
  /** Left as they were. */
  refused: number;
  /** Why the first of these was refused. */
  reason: string | null;
  /** The id below which the rest of the filter follows; null: there are no more. */
  next: number | null;
}

/** A lead in the lists of the admin app. */
export interface LeadSummary extends LeadRecord {
  state: LeadState;
  /** The newest call to the lead or one of its contacts; null if there is none. */
  last_call: { id: number; at: string; outcome: CallOutcome | null } | null;
}
