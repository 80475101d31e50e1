/** Reads and locks a campaign for its dialing. */
import { statement, type CampaignRow, type Tx } from '@parley/db';
import type { GateKey } from '../capacity/call-room.ts';
import type { DialCampaign } from './dial-rule.rules.ts';
import type { OutcomeSettings } from './lead-outcome.rules.ts';

/** What dialing needs to know of a campaign. */
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
  /** The shared limit it waits for; see capacity/campaign-hold.ts. */
  heldBy: GateKey | null;
}

const COLUMNS = `id, user_id, assistant_id, name, status, deleted_at is not null as is_deleted, timezone,
  max_calls_in_parallel, is_completed_without_leads, allowed_from, allowed_until, allowed_days, max_retries,
  retry_interval_seconds, is_voicemail_retried, is_unmet_goal_retried, goal_variable, phone_number_ids, caller_turn,
  is_lead_timezone_respected, held_by`;

const lockForDialing = statement<StoredCampaign>(
  'lock_campaign',
  `select ${COLUMNS} from campaigns where id = $1 for no key update`,
);

const select = statement<StoredCampaign>('read_campaign', `select ${COLUMNS} from campaigns where id = $1`);
const pin = statement<StoredCampaign>(
  'pin_campaign',
  `select ${COLUMNS} from campaigns where id = $1 for key share`,
);

/**
 * Nobody else claims, adds leads, starts or stops until the transaction ends. Locks are taken in the order call, lead,
 * campaign, trunk, shared limits (`capacity/call-room.ts`), new call; a claim, which begins with the campaign, passes over
 * leads that others hold.
 */
export async function lockCampaign(tx: Tx, campaignId: number): Promise<StoredCampaign | null> {
  const [campaign] = await tx.query(lockForDialing, [campaignId]);
  return campaign ?? null;
}

/**
 * Its owner neither changes, starts nor stops it until the transaction ends (`find-campaign.ts`); claims go on, so that
 * a refill waits for no permission to dial and no permission for a refill.
 */
export async function pinCampaign(tx: Tx, campaignId: number): Promise<StoredCampaign | null> {
  const [campaign] = await tx.query(pin, [campaignId]);
  return campaign ?? null;
}

/** For looking only. */
export async function readCampaign(tx: Tx, campaignId: number): Promise<StoredCampaign | null> {
  const [campaign] = await tx.query(select, [campaignId]);
  return campaign ?? null;
}
