/** What the open leads of a campaign wait for, as one reason for all of them. */
import type { CampaignProgress, CampaignWait } from '@parley/contracts';
import type { CampaignRow } from '@parley/db';

type Limit = Extract<CampaignWait, 'account_calls' | 'sip_trunk' | 'voice_capacity'>;

/** The reason by the first part of the limit that holds the campaign; see campaign-hold.ts. */
const LIMITS: Readonly<Record<string, Limit>> = {
  account: 'account_calls',
  trunk: 'sip_trunk',
  fleet: 'voice_capacity',
};

/** What is known of the campaign. */
export interface WaitingCampaign extends Pick<CampaignRow, 'status' | 'heldBy' | 'maxCallsInParallel'> {
  isOpen: boolean;
  progress: Pick<CampaignProgress, 'waiting' | 'waiting_to_retry' | 'live_calls'>;
}

/** @returns null without waiting leads, and where each lead has its own reason */
export function waitOf(campaign: WaitingCampaign): CampaignWait | null {
  const { waiting, waiting_to_retry: retrying, live_calls: live } = campaign.progress;
  if (waiting + retrying === 0) return null;
  if (campaign.status !== 'in-progress') return 'start';
  if (!campaign.isOpen) return 'calling_hours';
  if (waiting === 0) return 'retry';
  if (live >= campaign.maxCallsInParallel) return 'campaign_calls';
  return LIMITS[campaign.heldBy?.split(':')[0] ?? ''] ?? null;
}
