/** Campaigns as they are written: field rules and defaults. See docs/api.md, "Campaigns". */
import { z } from 'zod';
import { campaignStatuses, weekdays } from './campaign-record.ts';
import { wording } from './field-wording.ts';
import {
  boolean,
  choice,
  disclosureMessage,
  integer,
  list,
  nullable,
  requiredText,
  shape,
  text,
  timeZone,
} from './fields.ts';

const MAX_NAME = 255;
/** More than a week, because a list may repeat days. */
const MAX_DAYS = 50;
const MAX_NUMBERS = 1000;
const MAX_DISPOSITIONS = 50;
const MAX_DISPOSITION = 60;
/** The upper bound for all accounts; an account's own limit may be lower. */
const MAX_PARALLEL_CALLS = 10_000;

/** Defaults of a new campaign. Its time zone is the assistant's. */
export const campaignDefaults = {
  max_calls_in_parallel: 3,
  mark_complete_when_no_leads: true,
  allowed_hours_start_time: '00:00:00',
  allowed_hours_end_time: '23:59:00',
  allowed_days: [...weekdays],
  max_retries: 3,
  /** Seconds. */
  retry_interval: 3600,
  retry_on_voicemail: false,
  retry_on_goal_incomplete: false,
  goal_completion_variable: null,
  phone_number_ids: [] as number[],
  respect_lead_timezone: false,
  require_consent: false,
  disclosure_message: null,
  dispositions: [] as string[],
};

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** `09:00` or `09:00:00`; always read as the latter. */
export const timeOfDay = () =>
  text()
    .refine((value) => TIME_OF_DAY.test(value), { error: wording.format })
    .transform((value) => (value.length === 5 ? `${value}:00` : value));

/** In the order of the week, without duplicates. An empty list means all days. */
export const allowedDays = () =>
  list(choice(weekdays), { maximum: MAX_DAYS }).transform((days) =>
    weekdays.filter((day) => days.length === 0 || days.includes(day)),
  );

/** Results of calls, trimmed and in their order. Two that differ in case only would be one to a reader. */
const dispositionList = () =>
  list(requiredText({ maximum: MAX_DISPOSITION }), { maximum: MAX_DISPOSITIONS })
    .transform((names) => names.map((name) => name.trim()))
    .refine((names) => new Set(names.map((name) => name.toLowerCase())).size === names.length, {
      error: wording.distinct,
    });

const optionalFields = {
  timezone: timeZone().optional(),
  max_calls_in_parallel: integer({ minimum: 1, maximum: MAX_PARALLEL_CALLS }).optional(),
  allowed_hours_start_time: timeOfDay().optional(),
  allowed_hours_end_time: timeOfDay().optional(),
  allowed_days: allowedDays().optional(),
  max_retries: integer({ minimum: 0, maximum: 10 }).optional(),
  retry_interval: integer({ minimum: 10, maximum: 604_800 }).optional(),
  mark_complete_when_no_leads: boolean().optional(),
  retry_on_voicemail: boolean().optional(),
  retry_on_goal_incomplete: boolean().optional(),
  goal_completion_variable: nullable(requiredText({ maximum: MAX_NAME })).optional(),
  phone_number_ids: list(integer(), { maximum: MAX_NUMBERS }).optional(),
  /** The calling hours also apply in the time zone of the called number. */
  respect_lead_timezone: boolean().optional(),
  /** Only numbers with a record of consent are called. */
  require_consent: boolean().optional(),
  /** Replaces that of the assistant. */
  disclosure_message: disclosureMessage().optional(),
  /** The results that the evaluation or a person gives a call. */
  dispositions: dispositionList().optional(),
};

interface Goal {
  retry_on_goal_incomplete?: unknown;
  goal_completion_variable?: unknown;
}

/** For an update the use case checks this rule, because a stored variable is sufficient. */
function requireGoalVariable(given: Goal, context: z.core.$RefinementCtx): void {
  if (given.retry_on_goal_incomplete !== true || given.goal_completion_variable != null) return;
  const message = wording.requiredWhen('retry_on_goal_incomplete is true');
  context.addIssue({ code: 'custom', path: ['goal_completion_variable'], message });
}

/** Body of POST /api/user/campaigns. */
export const newCampaignBody = shape({
  name: requiredText({ maximum: MAX_NAME }),
  assistant_id: integer(),
  ...optionalFields,
})
  .superRefine(requireGoalVariable, { when: () => true })
  .meta({ id: 'NewCampaign', propertyDefaults: campaignDefaults });

/** Body of PUT /api/user/campaigns/{id}: omitted fields stay unchanged. */
export const campaignChangesBody = shape({
  name: requiredText({ maximum: MAX_NAME }).optional(),
  assistant_id: integer().optional(),
  /** Only the present one, in a record that is sent back: `update-status` starts and stops a campaign. */
  status: z.enum(campaignStatuses, { error: wording.statusIsAutomatic }).optional(),
  ...optionalFields,
}).meta({ id: 'CampaignChanges' });

/** The body that creates a campaign. */
export type NewCampaign = z.output<typeof newCampaignBody>;
/** The body that changes a campaign. */
export type CampaignChanges = z.output<typeof campaignChangesBody>;
