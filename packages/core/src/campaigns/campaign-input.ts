/** The one translator from what clients write about a campaign to our own row. Field rules were checked by contracts. */
import { campaignDefaults, type CampaignChanges, type NewCampaign } from '@parley/contracts';
import { json, type CampaignRow, type SqlValue } from '@parley/db';

/** The part of a campaign's row that its owner writes. */
export type CampaignSettings = Omit<
  CampaignRow,
  'id' | 'userId' | 'status' | 'callerTurn' | 'heldBy' | 'heldSince' | 'createdAt' | 'updatedAt' | 'deletedAt'
>;

/** @param assistant - whom the campaign speaks through; its time zone is the default */
export function newCampaignSettings(input: NewCampaign, assistant: { timezone: string }): CampaignSettings {
  const fallback = readSettings({ ...campaignDefaults, timezone: assistant.timezone });
  return { ...fallback, ...readSettings(input) } as CampaignSettings;
}

/** What was stored, with what was sent in its place. */
export function changedCampaignSettings(row: CampaignRow, changes: CampaignChanges): CampaignSettings {
  return { ...row, ...readSettings(changes) };
}

/** What was sent, under our names; absent means "not sent". */
function readSettings(given: CampaignChanges): Partial<CampaignSettings> {
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
  };
  const sent = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Partial<CampaignSettings>;
}

/** In the order in which both writing statements name them. */
export function boundSettings(settings: CampaignSettings): SqlValue[] {
  return [
    settings.assistantId,
    settings.name,
    settings.timezone,
    settings.maxCallsInParallel,
    settings.isCompletedWithoutLeads,
    settings.allowedFrom,
    settings.allowedUntil,
    settings.allowedDays,
    settings.maxRetries,
    settings.retryIntervalSeconds,
    settings.isVoicemailRetried,
    settings.isUnmetGoalRetried,
    settings.goalVariable,
    json(settings.phoneNumberIds),
    settings.isLeadTimezoneRespected,
  ];
}
