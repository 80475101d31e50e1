/** What a finished call means for its lead, written in the transaction that finishes the call. */
import { sendTogether, type Tx } from '@parley/db';
import type { StoredCall } from '../calls/lock-call.ts';
import { now, type CoreContext } from '../context.ts';
import { readCampaign } from './campaign-rows.ts';
import { decideLeadOutcome, resultOf, type FinishedDial, type LeadOutcome } from './lead-outcome.rules.ts';
import { dropPlaces, queuePlace, writeSettlement, type Settlement } from './lead-writes.ts';
import { lockNumbersOf, type StoredNumber } from './load-numbers.ts';

/**
 * Does not wait for the campaign: whoever claims from it meanwhile is followed by the refill that this call's end asks for.
 *
 * @param call - in a final state, as it was just written; calls of no campaign are none of its business
 * @returns the campaign in which the lead goes on, which may have changed during the call; null: none
 */
export async function settleLead(ctx: CoreContext, tx: Tx, call: StoredCall): Promise<number | null> {
  const { campaignId, leadId } = call;
  if (campaignId === null || leadId === null) return null;
  const [numbers, campaign] = await sendTogether(tx, [
    (tx) => lockNumbersOf(tx, leadId),
    (tx) => readCampaign(tx, campaignId),
  ]);
  // Deleted meanwhile, and with it everything that was to be done.
  if (!numbers || !campaign) return null;
  const at = now(ctx);
  const result = resultOf(finishedDial(call), campaign);
  const endedAt = call.endedAt ?? at;
  const situation = { result, numbers, calledLeadId: leadId, round: call.attempt ?? 1, endedAt };
  const outcome = decideLeadOutcome(situation, campaign);
  const attempted = result.kind === 'not-made' ? null : leadId;
  await writeOutcome(tx, { leadId, numbers, outcome, attempted, at });
  return numbers[0]?.campaignId ?? campaignId;
}

function finishedDial(call: StoredCall): FinishedDial {
  const { status, endedReason, answeredBy, evaluation, variables } = call;
  const hasCustomerSpoken = call.turns.some(({ sender }) => sender === 'human');
  return { status, endedReason, answeredBy, evaluation, variables, hasCustomerSpoken };
}

interface SettledLead extends Pick<Settlement, 'attempted' | 'at'> {
  /** The one that was called. */
  leadId: number;
  numbers: readonly StoredNumber[];
  outcome: LeadOutcome;
}

async function writeOutcome(tx: Tx, settled: SettledLead): Promise<void> {
  const { leadId, numbers, outcome, attempted, at } = settled;
  const ids = numbers.map((number) => number.leadId);
  const mainId = ids[0] ?? leadId;
  const shared = { attempted, at };
  switch (outcome.do) {
    case 'complete': {
      const status = { to: 'completed', leadIds: [mainId, leadId] } as const;
      return finish(tx, { ...shared, leadIds: ids, reason: 'reached', status });
    }
    case 'give-up': {
      const status = { to: 'reached-max-retries', leadIds: ids } as const;
      return finish(tx, { ...shared, leadIds: ids, reason: outcome.reason, status });
    }
    case 'nothing':
      return finish(tx, { ...shared, leadIds: ids, reason: 'lead_done', status: null });
    case 'queue': {
      const state = outcome.round === 1 ? 'waiting' : 'waiting-to-retry';
      const { reason } = outcome;
      await writeSettlement(tx, { ...shared, leadIds: [mainId, leadId], state, reason, status: null });
      return queuePlace(tx, outcome);
    }
  }
}

async function finish(tx: Tx, settlement: Omit<Settlement, 'state'>): Promise<void> {
  await sendTogether(tx, [
    (tx) => dropPlaces(tx, settlement.leadIds),
    (tx) => writeSettlement(tx, { ...settlement, state: 'done' }),
  ]);
}
