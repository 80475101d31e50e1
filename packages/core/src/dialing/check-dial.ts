/**
 * The campaign's last word before an INVITE, while its owner cannot stop or change it, and others are checked beside it: the rule is asked once more about the call that the claim has placed. Between
 * the two lie a job, a hand-over and whatever the owner has done since.
 */
import { sendTogether, statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { pinCampaign } from './campaign-rows.ts';
import { decideDial, type NeverReason, type WaitReason } from './dial-rule.rules.ts';
import { lockNumbersOf } from './load-numbers.ts';
import { zonesOfNumber } from './number-zones.rules.ts';

/** A campaign's call that is about to be sent. */
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

/** Why it must not be. */
export type DialObstacle = WaitReason | NeverReason | 'lead_changed';

/**
 * What the campaign and its lead say; the limits that it shares with others are `lifecycle/find-dial-obstacle.ts`'s.
 *
 * @returns null when the INVITE may leave
 */
export async function checkCampaignDial(
  ctx: CoreContext,
  tx: Tx,
  call: CampaignDialCheck,
): Promise<DialObstacle | null> {
  // In this order (campaign-rows.ts): whoever is refused settles the lead in the same transaction.
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
    // The call carries its own.
    isAssistantReady: true,
    numbers: numbers.map((number) => ({
      ...number,
      // The call itself is the one that its number is in.
      isInCall: false,
      zones: campaign.isLeadTimezoneRespected ? zonesOfNumber(number.phoneNumber) : [],
      lineHold: null,
    })),
    turnLeadId: call.leadId,
    round: call.attempt,
    readyAt: at,
    room: { campaign: campaign.maxCallsInParallel - (others?.live ?? 0), account: 1, fleet: 1 },
    now: at,
    databaseNow,
  });
  if (verdict.do !== 'dial') return verdict.reason;
  // The rule would pass over this number, or it is another one now.
  const called = numbers.find(({ leadId }) => leadId === call.leadId);
  if (called?.isForbidden) return 'do_not_call';
  const isSame =
    verdict.number.leadId === call.leadId &&
    verdict.number.phoneNumber === call.clientPhoneNumber &&
    called?.campaignId === call.campaignId;
  return isSame ? null : 'lead_changed';
}
