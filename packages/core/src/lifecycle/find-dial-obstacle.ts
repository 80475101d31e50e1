/**
 * The last check of a call before its INVITE, for calls of campaigns and all others: do-not-call list, campaign and lead,
 * limit of the account, token, trunk. All of them may have changed since the call was placed.
 */
import { sendTogether, statement, type Tx } from '@parley/db';
import { checkCampaignDial, type DialObstacle } from '../dialing/check-dial.ts';
import { isAttemptTooEarly } from '../dialing/dial-rule.rules.ts';
import { now, type CoreContext } from '../context.ts';
import { isOnDoNotCallList } from '../lookups/is-on-do-not-call-list.ts';
import { findAttemptAllowedAt } from '../lookups/number-attempts.ts';
import { IS_DISARMED } from '../capacity/disarmed.ts';
import { trunkCapacityOf, type TrunkLoad } from '../capacity/call-limits.rules.ts';
import { findDestinationRefusal } from '../capacity/load-destination-policy.ts';

/** A call whose INVITE is about to be sent. */
export interface DialToCheck {
  userId: number;
  clientPhoneNumber: string;
  campaignId: number | null;
  leadId: number | null;
  attempt: number | null;
  trunkId: number | null;
  /** The API token that asked for it. */
  tokenId: number | null;
}

/** The call itself holds one of the slots. */
const countAccount = statement<{
  capacity: number;
  isDisarmed: boolean;
  isDisabled: boolean;
  isTokenRevoked: boolean;
}>(
  'account_capacity_of_dial',
  `select u.max_calls - (select count(*) - 1 from live_calls where user_id = u.id and queued_at is null) as capacity,
     ${IS_DISARMED} as is_disarmed, u.disabled_at is not null as is_disabled,
     exists (select 1 from api_tokens t where t.id = $2 and t.revoked_at is not null) as is_token_revoked
   from users u where u.id = $1`,
);
const countTrunk = statement<TrunkLoad>(
  'trunk_load_of_dial',
  `select t.id, t.max_calls, null::int as max_cps, t.paused_until, t.pause_seconds, 0 as unsent,
     (select count(*) - 1 from live_calls where trunk_id = t.id) as live,
     (select count(*) from live_calls where trunk_id = t.id and type = 'outbound' and answered_at is null
        and invite_sent_at >= t.paused_until) as on_trial
   from trunks t where t.id = $1 and (t.max_calls is not null or t.pause_seconds > 0)`,
);

/** @returns null when the INVITE may be sent */
export async function findDialObstacle(
  ctx: CoreContext,
  tx: Tx,
  dial: DialToCheck,
): Promise<DialObstacle | null> {
  const [obstacle, refusal, [account], [load]] = await sendTogether(tx, [
    (tx) => findNumberObstacle(ctx, tx, dial),
    (tx) => findDestinationRefusal(tx, { trunkId: dial.trunkId, to: dial.clientPhoneNumber }),
    (tx) => tx.query(countAccount, [dial.userId, dial.tokenId]),
    async (tx) => (dial.trunkId === null ? [] : tx.query(countTrunk, [dial.trunkId])),
  ]);
  if (account?.isDisarmed) return 'disarmed';
  if (account?.isDisabled) return 'account_disabled';
  // A campaign that it has started is stopped; another token may have started it again.
  if (account?.isTokenRevoked && dial.campaignId === null) return 'token_revoked';
  if (obstacle) return obstacle;
  if (refusal) return refusal;
  if (account && account.capacity <= 0) return 'account_calls';
  return load ? trunkObstacleOf(ctx, load) : null;
}

async function findNumberObstacle(
  ctx: CoreContext,
  tx: Tx,
  { campaignId, leadId, attempt, clientPhoneNumber, userId }: DialToCheck,
): Promise<DialObstacle | null> {
  if (campaignId === null || leadId === null) {
    const [isForbidden, attemptAllowedAt, databaseNow] = await sendTogether(tx, [
      (tx) => isOnDoNotCallList(tx, userId, clientPhoneNumber),
      (tx) => findAttemptAllowedAt(tx, userId, clientPhoneNumber),
      (tx) => ctx.databaseNow(tx),
    ]);
    if (isForbidden) return 'do_not_call';
    return isAttemptTooEarly({ attemptAllowedAt, now: now(ctx), databaseNow }) ? 'attempt_limit' : null;
  }
  return checkCampaignDial(ctx, tx, { campaignId, leadId, attempt: attempt ?? 1, clientPhoneNumber });
}

function trunkObstacleOf(ctx: CoreContext, load: TrunkLoad): DialObstacle | null {
  const { free, hold } = trunkCapacityOf(load, now(ctx));
  return free > 0 ? null : hold.reason;
}
