/** Reads and locks a campaign for dialing. */
import { statement, type CampaignRow, type Tx } from '@parley/db';
import type { LimitKey } from '../capacity/call-capacity.ts';
import type { DialCampaign } from './dial-rule.rules.ts';
import type { OutcomeSettings } from './lead-outcome.rules.ts';

/** The columns of a campaign that dialing uses. */
export interface StoredCampaign extends DialCampaign, OutcomeSettings {
  id: number;
  userId: number;
  assistantId: number;
  name: string;
  maxCallsInParallel: number;
  isCompletedWithoutLeads: boolean;
  phoneNumberIds: CampaignRow['phoneNumberIds'];
  callerTurn: number;
  isLeadTimezoneRespected: boolean;
  disclosureMessage: string | null;
  dispositions: string[];
  /** The shared limit that the campaign waits for; see `capacity/campaign-hold.ts`. */
  heldBy: LimitKey | null;
  /** The API token that started it. */
  tokenId: number | null;
}

const COLUMNS = `id, user_id, assistant_id, name, status, deleted_at is not null as is_deleted, timezone,
  max_calls_in_parallel, is_completed_without_leads, allowed_from, allowed_until, allowed_days, max_retries,
  retry_interval_seconds, is_voicemail_retried, is_unmet_goal_retried, goal_variable, phone_number_ids, caller_turn,
  is_lead_timezone_respected, is_consent_required, disclosure_message, dispositions,
  held_by, token_id`;

const lockForDialing = statement<StoredCampaign>(
  'lock_campaign',
  `select ${COLUMNS} from campaigns where id = $1 for no key update`,
);

const select = statement<StoredCampaign>('read_campaign', `select ${COLUMNS} from campaigns where id = $1`);
const lockRunning = statement(
  'lock_running_campaigns',
  `select id from campaigns where status = 'in-progress' and deleted_at is null
     and ($1::bigint is null or user_id = $1) order by id for no key update`,
);
const pin = statement<StoredCampaign>(
  'pin_campaign',
  `select ${COLUMNS} from campaigns where id = $1 for key share`,
);

/**
 * Locks the campaign: until the transaction ends no other one claims from it, adds leads, starts or stops it. Locks are
 * taken in the order call, lead, campaign, trunk, shared limits (`capacity/call-capacity.ts`), new call. A claim begins
 * with the campaign and skips leads that other transactions hold.
 */
export async function lockCampaign(tx: Tx, campaignId: number): Promise<StoredCampaign | null> {
  const [campaign] = await tx.query(lockForDialing, [campaignId]);
  return campaign ?? null;
}

/**
 * Locks the campaign in share mode: until the transaction ends its owner can neither change, start nor stop it
 * (`find-campaign.ts`). Claims continue, so that refills and permissions to dial do not wait for each other.
 */
export async function pinCampaign(tx: Tx, campaignId: number): Promise<StoredCampaign | null> {
  const [campaign] = await tx.query(pin, [campaignId]);
  return campaign ?? null;
}

/**
 * Waits until no campaign in progress is being filled, and lets none be filled until the transaction ends. For changes
 * that a claim has to see or to precede.
 *
 * @param userId - only this user's campaigns; null: all
 */
export async function lockRunningCampaigns(tx: Tx, userId: number | null): Promise<void> {
  await tx.query(lockRunning, [userId]);
}

/** Reads the campaign without a lock. */
export async function readCampaign(tx: Tx, campaignId: number): Promise<StoredCampaign | null> {
  const [campaign] = await tx.query(select, [campaignId]);
  return campaign ?? null;
}
