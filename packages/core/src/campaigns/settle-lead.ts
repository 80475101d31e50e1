/** What a finished call means for its lead, written in the transaction that finishes the call. */
import type { Tx } from '@parley/db';
import type { StoredCall } from '../calls/lock-call.ts';
import { now, type CoreContext } from '../context.ts';
import { lockCampaign, shareCampaign } from './campaign-rows.ts';
import { decideLeadOutcome, resultOf, type FinishedDial, type LeadOutcome } from './lead-outcome.rules.ts';
import { countAttempt, dropPlaces, queuePlace, setDialState, setLeadStatus } from './lead-writes.ts';
import { lockNumbersOf, type StoredNumber } from './load-numbers.ts';
import { wakeCampaign } from './wake-campaign.ts';

/**
 * @param call - in a final state, as it was just written; calls of no campaign are none of its business
 * @param isFilling - the same transaction fills the campaign afterwards; others settle beside each other
 */
export async function settleLead(
  ctx: CoreContext,
  tx: Tx,
  { call, isFilling }: { call: StoredCall; isFilling: boolean },
): Promise<void> {
  const { campaignId, leadId } = call;
  if (campaignId === null || leadId === null) return;
  const numbers = await lockNumbersOf(tx, leadId);
  const campaign = await (isFilling ? lockCampaign : shareCampaign)(tx, campaignId);
  // Deleted meanwhile, and with it everything that was to be done.
  if (!numbers || !campaign) return;
  const result = resultOf(finishedDial(call), campaign);
  if (result.kind !== 'not-made') await countAttempt(tx, leadId);
  const situation = {
    result,
    numbers,
    calledLeadId: leadId,
    round: call.attempt ?? 1,
    endedAt: call.endedAt ?? now(ctx),
  };
  const outcome = decideLeadOutcome(situation, campaign);
  await writeOutcome(tx, { leadId, numbers, outcome, at: now(ctx) });
  const home = numbers[0]?.campaignId ?? campaignId;
  // It was moved during its call, and goes on in its new campaign.
  if (home !== campaignId) await wakeCampaign(tx, home);
}

function finishedDial(call: StoredCall): FinishedDial {
  const { status, endedReason, answeredBy, evaluation, variables } = call;
  const hasCustomerSpoken = call.turns.some(({ sender }) => sender === 'human');
  return { status, endedReason, answeredBy, evaluation, variables, hasCustomerSpoken };
}

interface Settlement {
  /** The one that was called. */
  leadId: number;
  numbers: readonly StoredNumber[];
  outcome: LeadOutcome;
  at: Date;
}

async function writeOutcome(tx: Tx, settlement: Settlement): Promise<void> {
  const { leadId, numbers, outcome, at } = settlement;
  const ids = numbers.map((number) => number.leadId);
  const mainId = ids[0] ?? leadId;
  switch (outcome.do) {
    case 'complete':
      await setLeadStatus(tx, [mainId, leadId], 'completed', at);
      return finish(tx, ids, 'reached');
    case 'give-up':
      await setLeadStatus(tx, ids, 'reached-max-retries', at);
      return finish(tx, ids, outcome.reason);
    case 'nothing':
      return finish(tx, ids, 'lead_done');
    case 'queue': {
      const state = outcome.round === 1 ? 'waiting' : 'waiting-to-retry';
      await setDialState(tx, [...new Set([mainId, leadId])], state, outcome.reason);
      return queuePlace(tx, outcome);
    }
  }
}

async function finish(tx: Tx, leadIds: readonly number[], reason: string): Promise<void> {
  await dropPlaces(tx, leadIds);
  await setDialState(tx, leadIds, 'done', reason);
}
