/**
 * The campaign's last word before an INVITE, under its lock: the rule is asked once more about the call that the claim
 * has placed. Between the two lie a job, a hand-over and whatever the owner has done meanwhile.
 */
import type { Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { lockCampaign } from './campaign-rows.ts';
import { decideDial, type NeverReason, type WaitReason } from './dial-rule.rules.ts';
import { lockNumbersOf } from './load-numbers.ts';

/** A campaign's call that is about to be sent. */
export interface CampaignDialCheck {
  campaignId: number;
  leadId: number;
  attempt: number;
  clientPhoneNumber: string;
}

/** Why it must not be. */
export type DialObstacle = WaitReason | NeverReason | 'lead_changed';

/** @returns null when the INVITE may leave */
export async function checkCampaignDial(
  ctx: CoreContext,
  tx: Tx,
  call: CampaignDialCheck,
): Promise<DialObstacle | null> {
  // In this order (campaign-rows.ts): whoever is refused settles the lead in the same transaction.
  const numbers = (await lockNumbersOf(tx, call.leadId)) ?? [];
  const campaign = await lockCampaign(tx, call.campaignId);
  if (!campaign) return 'campaign_deleted';
  const verdict = decideDial({
    campaign,
    // The call itself is the one that its number is in.
    numbers: numbers.map((number) => ({ ...number, isInCall: false })),
    turnLeadId: call.leadId,
    round: call.attempt,
    freeCalls: 1,
    now: now(ctx),
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
