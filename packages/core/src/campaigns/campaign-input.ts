/** Translates what clients write about a campaign to its row. Contracts has checked the fields. */
import { campaignDefaults, type CampaignChanges, type NewCampaign } from '@parley/contracts';
import type { CampaignRow } from '@parley/db';

/** The columns that a campaign's owner writes. */
export type CampaignSettings = Omit<
  CampaignRow,
  'id' | 'userId' | 'status' | 'callerTurn' | 'heldBy' | 'heldSince' | 'createdAt' | 'updatedAt' | 'deletedAt'
>;

/** @param assistant - its time zone is the campaign's default */
export function newCampaignSettings(input: NewCampaign, assistant: { timezone: string }): CampaignSettings {
  const fallback = readSettings({ ...campaignDefaults, timezone: assistant.timezone });
  return { ...fallback, ...readSettings(input) } as CampaignSettings;
}

/** The settings that were sent, as columns. */
export function readSettings(given: CampaignChanges): Partial<CampaignSettings> {
  const settings = {
    name: given.name,
    assistantId: given.assistant_id,
    timezone: given.timezone,
    maxCallsInParallel: given.max_calls_in_parallel,
    isCompletedWithoutLeads: given.mark_complete_when_no_leads,
    allowedFrom: given.allowed_hours_start_time,
    allowedUntil: given.allowed_hours_end_time,
    allowedDays: given.allowed_days,
    maxRetries: given.max_retries,
    retryIntervalSeconds: given.retry_interval,
    isVoicemailRetried: given.retry_on_voicemail,
    isUnmetGoalRetried: given.retry_on_goal_incomplete,
    goalVariable: given.goal_completion_variable,
    phoneNumberIds: given.phone_number_ids && [...new Set(given.phone_number_ids)],
    isLeadTimezoneRespected: given.respect_lead_timezone,
    isConsentRequired: given.require_consent,
    disclosureMessage: given.disclosure_message,
    dispositions: given.dispositions,
  };
  const sent = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Partial<CampaignSettings>;
}
