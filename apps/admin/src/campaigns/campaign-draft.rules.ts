/** The draft of the campaign form and its conversion to the input of the API. The server validates it. */
import type { CampaignDetail, CampaignRecord } from '@parley/contracts';
import { texts } from './texts.ts';

type Weekday = CampaignRecord['allowed_days'][number];

/** The values of the fields, as text. */
export interface CampaignDraft {
  name: string;
  assistant_id: string;
  max_calls_in_parallel: string;
  allowed_hours_start_time: string;
  allowed_hours_end_time: string;
  allowed_days: Weekday[];
  /** Empty: the time zone of the assistant. */
  timezone: string;
  max_retries: string;
  retry_minutes: string;
  /** Empty: the number of the assistant. */
  phone_number_ids: string[];
  mark_complete_when_no_leads: boolean;
  retry_on_voicemail: boolean;
  retry_on_goal_incomplete: boolean;
  goal_completion_variable: string;
  respect_lead_timezone: boolean;
  require_consent: boolean;
  /** Empty: that of the assistant. */
  disclosure_message: string;
  /** One per line. */
  dispositions: string;
}

/** In week order. */
export const dayChoices: readonly { day: Weekday; label: string }[] = [
  { day: 'monday', label: texts.days.monday },
  { day: 'tuesday', label: texts.days.tuesday },
  { day: 'wednesday', label: texts.days.wednesday },
  { day: 'thursday', label: texts.days.thursday },
  { day: 'friday', label: texts.days.friday },
  { day: 'saturday', label: texts.days.saturday },
  { day: 'sunday', label: texts.days.sunday },
];

/** Office hours, so that the default never calls anyone at night. */
export const emptyCampaign: CampaignDraft = {
  name: '',
  assistant_id: '',
  max_calls_in_parallel: '3',
  allowed_hours_start_time: '09:00',
  allowed_hours_end_time: '18:00',
  allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
  timezone: '',
  max_retries: '3',
  retry_minutes: '60',
  phone_number_ids: [],
  mark_complete_when_no_leads: true,
  retry_on_voicemail: false,
  retry_on_goal_incomplete: false,
  goal_completion_variable: '',
  respect_lead_timezone: false,
  require_consent: false,
  disclosure_message: '',
  dispositions: '',
};

/** The fields of an existing campaign. */
export function campaignDraft(campaign: CampaignDetail): CampaignDraft {
  return {
    name: campaign.name,
    assistant_id: String(campaign.assistant_id),
    max_calls_in_parallel: String(campaign.max_calls_in_parallel),
    allowed_hours_start_time: campaign.allowed_hours_start_time.slice(0, 5),
    allowed_hours_end_time: campaign.allowed_hours_end_time.slice(0, 5),
    allowed_days: campaign.allowed_days,
    timezone: campaign.timezone,
    max_retries: String(campaign.max_retries),
    retry_minutes: String(campaign.retry_interval / 60),
    disclosure_message: campaign.disclosure_message ?? '',
    dispositions: campaign.dispositions.join('\n'),
    phone_number_ids: campaign.phone_number_ids.map(String),
    mark_complete_when_no_leads: campaign.mark_complete_when_no_leads,
    retry_on_voicemail: campaign.retry_on_voicemail,
    retry_on_goal_incomplete: campaign.retry_on_goal_incomplete,
    goal_completion_variable: campaign.goal_completion_variable ?? '',
    respect_lead_timezone: campaign.respect_lead_timezone,
    require_consent: campaign.require_consent,
  };
}

/** An empty field is omitted, so that the server reports it. */
export function toCampaignInput(draft: CampaignDraft) {
  const { retry_minutes: minutes, timezone, ...fields } = draft;
  return {
    ...fields,
    assistant_id: numberOf(draft.assistant_id),
    max_calls_in_parallel: numberOf(draft.max_calls_in_parallel),
    max_retries: numberOf(draft.max_retries),
    phone_number_ids: draft.phone_number_ids.map(Number),
    disclosure_message: draft.disclosure_message.trim() || null,
    dispositions: linesOf(draft.dispositions),
    goal_completion_variable: draft.goal_completion_variable.trim() || null,
    // A stored interval may not be a whole number of minutes.
    retry_interval: Math.round(numberOf(minutes) * 60),
    ...(timezone.trim() !== '' && { timezone: timezone.trim() }),
  };
}

/** The input of the fields that differ between two drafts. */
export function changedCampaignInput(
  draft: CampaignDraft,
  before: CampaignDraft,
): Partial<ReturnType<typeof toCampaignInput>> {
  const stored: Record<string, unknown> = toCampaignInput(before);
  const changed = Object.entries(toCampaignInput(draft)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name]),
  );
  return Object.fromEntries(changed);
}

/** The lines that are not empty. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** NaN for an empty field, which the server reports. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
