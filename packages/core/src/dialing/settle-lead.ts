/** Writes what follows for the lead from a finished call, in the transaction that finishes the call. */
import { sendTogether, statement, type Tx } from '@parley/db';
import { UNSETTLED_STATUSES } from '../calls/call-state.rules.ts';
import type { StoredCall } from '../calls/lock-call.ts';
import { now, type CoreContext } from '../context.ts';
import { announceSettledLead, type ReportedCampaign } from '../outbox/announce-events.ts';
import { readCampaign } from './campaign-rows.ts';
import { decideLeadOutcome, resultOf, type FinishedDial, type LeadOutcome } from './lead-outcome.rules.ts';
import { insertQueueEntry, removeQueueEntries } from './dial-queue.ts';
import { writeSettlement, type Settlement } from './lead-state.ts';
import { queueingFor } from './lead-state.rules.ts';
import { loadNumbers, lockNumbersOf, type StoredNumber } from './load-numbers.ts';

/** The round in which it is the turn of a number, or in which a call to it is live. */
const selectTurn = statement<{ round: number }>(
  'turn_of_contact',
  `select attempt as round from dial_queue where lead_id = $1
   union all
   select coalesce(attempt, 1) from calls where lead_id = $1 and status = any($2) limit 1`,
);

/**
 * Does not wait for the lock of the campaign: the refill that follows the end of the call runs after any claim.
 *
 * @param call - in a final state, as just written; calls that belong to no campaign are ignored
 * @returns the current campaign of the lead, which may have changed during the call; null: none
 */
export async function settleLead(ctx: CoreContext, tx: Tx, call: StoredCall): Promise<number | null> {
  const { campaignId, leadId } = call;
  if (campaignId === null || leadId === null) return null;
  const [numbers, campaign] = await sendTogether(tx, [
    (tx) => lockNumbersOf(tx, leadId),
    (tx) => readCampaign(tx, campaignId),
  ]);
  // The lead or the campaign was deleted during the call.
  if (!numbers || !campaign) return null;
  const at = now(ctx);
  const result = resultOf(finishedDial(call), campaign);
  const endedAt = call.endedAt ?? at;
  const situation = { result, numbers, calledLeadId: leadId, round: call.attempt ?? 1, endedAt };
  const outcome = decideLeadOutcome(situation, campaign);
  const attempted = result.kind === 'not-made' ? null : leadId;
  await writeOutcome(tx, { leadId, numbers, outcome, attempted, at, campaign, call });
  return numbers[0]?.campaignId ?? campaignId;
}

function finishedDial(call: StoredCall): FinishedDial {
  const { status, endedReason, answeredBy, evaluation, variables } = call;
  const hasCustomerSpoken = call.turns.some(({ sender }) => sender === 'human');
  return { status, endedReason, answeredBy, evaluation, variables, hasCustomerSpoken };
}

/**
 * Takes a secondary contact out of the round of its lead, before it is deleted: the round goes on with the next number if
 * it is the contact's turn, or while a call to it is live. That call no longer has a lead to settle.
 *
 * @param contact - its family is locked
 */
export async function skipContact(
  ctx: CoreContext,
  tx: Tx,
  contact: { id: number; campaignId: number },
): Promise<void> {
  const [turn] = await tx.query(selectTurn, [contact.id, UNSETTLED_STATUSES]);
  const numbers = (await loadNumbers(tx, [contact.id])).get(contact.id);
  const campaign = await readCampaign(tx, contact.campaignId);
  if (!turn || !numbers || !campaign) return;
  const at = now(ctx);
  const result = { kind: 'missed', reason: 'contact_deleted' } as const;
  const situation = { result, numbers, calledLeadId: contact.id, round: turn.round, endedAt: at };
  await removeQueueEntries(tx, [contact.id]);
  const outcome = decideLeadOutcome(situation, campaign);
  const settled = { leadId: contact.id, numbers, outcome, attempted: null, at };
  await writeOutcome(tx, { ...settled, campaign, call: null });
}

interface SettledLead extends Pick<Settlement, 'attempted' | 'at'> {
  /** The lead or contact that was called. */
  leadId: number;
  numbers: readonly StoredNumber[];
  outcome: LeadOutcome;
  campaign: ReportedCampaign;
  /** Null where it settles without one. */
  call: Pick<StoredCall, 'id' | 'createdAt'> | null;
}

/** The status of a lead that is settled by an outcome; absent: it is not settled, or was before. */
const STATUS_AFTER: Partial<Record<LeadOutcome['do'], 'completed' | 'reached-max-retries'>> = {
  complete: 'completed',
  'give-up': 'reached-max-retries',
};

async function writeOutcome(tx: Tx, settled: SettledLead): Promise<void> {
  const { outcome, numbers, campaign, call, at } = settled;
  const [main] = numbers;
  const status = STATUS_AFTER[outcome.do];
  await sendTogether(tx, [
    (tx) => writeStates(tx, settled),
    main?.status === 'created' &&
      status &&
      ((tx: Tx) => announceSettledLead(tx, campaign, { leadId: main.leadId, status, call, at })),
  ]);
}

async function writeStates(tx: Tx, settled: SettledLead): Promise<void> {
  const { leadId, numbers, outcome, attempted, at } = settled;
  const ids = numbers.map((number) => number.leadId);
  const mainId = ids[0] ?? leadId;
  const shared = { attempted, at };
  switch (outcome.do) {
    case 'complete': {
      const end = { event: 'reached', leadIds: [mainId, leadId] } as const;
      return finish(tx, { ...shared, leadIds: ids, reason: 'reached', end });
    }
    case 'give-up': {
      const end = { event: 'attempts-used-up', leadIds: ids } as const;
      return finish(tx, { ...shared, leadIds: ids, reason: outcome.reason, end });
    }
    case 'nothing':
      return finish(tx, { ...shared, leadIds: ids, reason: 'lead_done', end: null });
    case 'queue': {
      const { reason, round } = outcome;
      const event = queueingFor(round);
      await writeSettlement(tx, { ...shared, leadIds: [mainId, leadId], event, reason, end: null });
      return insertQueueEntry(tx, outcome);
    }
  }
}

async function finish(tx: Tx, settlement: Omit<Settlement, 'event'>): Promise<void> {
  await sendTogether(tx, [
    (tx) => removeQueueEntries(tx, settlement.leadIds),
    (tx) => writeSettlement(tx, { ...settlement, event: 'ended' }),
  ]);
}
