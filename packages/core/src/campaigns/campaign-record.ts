/** The one translator from our row to the campaign of the wire. */
import {
  isoMicroseconds,
  type CampaignDetail,
  type CampaignProgress,
  type CampaignRecord,
} from '@parley/contracts';
import type { CampaignRow } from '@parley/db';
import { explainObstacle, type CampaignObstacle } from './campaign-obstacle.rules.ts';
import { waitOf } from './campaign-wait.rules.ts';

/** The record of the list: exactly the fields of the specification. */
export function campaignRecord(row: CampaignRow): CampaignRecord {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    max_calls_in_parallel: row.maxCallsInParallel,
    mark_complete_when_no_leads: row.isCompletedWithoutLeads,
    allowed_hours_start_time: row.allowedFrom,
    allowed_hours_end_time: row.allowedUntil,
    allowed_days: row.allowedDays as CampaignRecord['allowed_days'],
    max_retries: row.maxRetries,
    retry_interval: row.retryIntervalSeconds,
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}

/** One campaign with everything that can be written, and how far it is. */
export function campaignDetail(
  row: CampaignRow,
  {
    progress,
    obstacle,
    isOpen,
    opensAt,
  }: {
    progress: CampaignProgress;
    obstacle: CampaignObstacle | null;
    isOpen: boolean;
    opensAt: Date | null;
  },
): CampaignDetail {
  return {
    ...campaignRecord(row),
    assistant_id: row.assistantId,
    timezone: row.timezone,
    phone_number_ids: row.phoneNumberIds,
    retry_on_voicemail: row.isVoicemailRetried,
    retry_on_goal_incomplete: row.isUnmetGoalRetried,
    goal_completion_variable: row.goalVariable,
    respect_lead_timezone: row.isLeadTimezoneRespected,
    require_consent: row.isConsentRequired,
    disclosure_message: row.disclosureMessage,
    dispositions: row.dispositions,
    progress,
    opens_at: opensAt && isoMicroseconds(opensAt),
    waiting_for: waitOf({ ...row, isOpen, progress }),
    obstacle: obstacle && { reason: obstacle, explanation: explainObstacle(obstacle) },
  };
}
