/**
 * The last check of a campaign's call before its INVITE. It applies the dial rule again, because the owner may have
 * changed the campaign or the lead since the claim. It locks the campaign in share mode: the owner can neither stop nor
 * change it, and other calls are checked in parallel.
 */
import { sendTogether, statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { pinCampaign } from './campaign-rows.ts';
import { decideDial, isConsentMissing, type NeverReason, type WaitReason } from './dial-rule.rules.ts';
import { lockNumbersOf } from './load-numbers.ts';
import { zonesOfNumber } from './number-zones.rules.ts';

/** A call of a campaign whose INVITE is about to be sent. */
export interface CampaignDialCheck {
  campaignId: number;
  leadId: number;
  attempt: number;
  clientPhoneNumber: string;
}

const countOthers = statement<{ live: number }>(
  'count_other_campaign_calls',
  `select count(*) - 1 as live from live_calls where campaign_id = $1`,
);

/** Why the INVITE must not be sent. */
export type DialObstacle = WaitReason | NeverReason | 'lead_changed' | 'token_revoked';

/**
 * Checks campaign and lead; `lifecycle/find-dial-obstacle.ts` checks the shared limits.
 *
 * @returns null when the INVITE may be sent
 */
export async function checkCampaignDial(
  ctx: CoreContext,
  tx: Tx,
  call: CampaignDialCheck,
): Promise<DialObstacle | null> {
  // In the lock order of campaign-rows.ts: a refusal settles the lead in the same transaction.
  const [numbers, campaign, [others], databaseNow] = await sendTogether(tx, [
    async (tx) => (await lockNumbersOf(tx, call.leadId)) ?? [],
    (tx) => pinCampaign(tx, call.campaignId),
    (tx) => tx.query(countOthers, [call.campaignId]),
    (tx) => ctx.databaseNow(tx),
  ]);
  if (!campaign) return 'campaign_deleted';
  const at = now(ctx);
  const verdict = decideDial({
    campaign,
    // The call has its own copy of the assistant.
    isAssistantReady: true,
    numbers: numbers.map((number) => ({
      ...number,
      // The only live call of the number is this one.
      isInCall: false,
      zones: campaign.isLeadTimezoneRespected ? zonesOfNumber(number.phoneNumber) : [],
      // Both are checked in lifecycle/find-dial-obstacle.ts, for calls without a campaign too.
      trunkHold: null,
      refusal: null,
    })),
    turnLeadId: call.leadId,
    round: call.attempt,
    readyAt: at,
    freeSlots: { campaign: campaign.maxCallsInParallel - (others?.live ?? 0), account: 1, fleet: 1 },
    now: at,
    databaseNow,
  });
  if (verdict.do !== 'dial') return verdict.reason;
  // The rule may have selected another number, or the number may have been changed.
  const called = numbers.find(({ leadId }) => leadId === call.leadId);
  if (called?.isForbidden) return 'do_not_call';
  if (called && isConsentMissing(campaign, called)) return 'consent_missing';
  const isSame =
    verdict.number.leadId === call.leadId &&
    verdict.number.phoneNumber === call.clientPhoneNumber &&
    called?.campaignId === call.campaignId;
  return isSame ? null : 'lead_changed';
}
