/** Inserts the calls of claimed leads, as `lifecycle/place-call.ts` does for one call, and the jobs that dial them. */
import { randomUUID } from 'node:crypto';
import { sendTogether, type Tx } from '@parley/db';
import { insertCalls, type DialDecision, type NewCallRow } from '../calls/insert-call.ts';
import type { Route } from '../capacity/route-call.rules.ts';
import { enqueueDials } from '../jobs/enqueue-dial.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import type { DialInput } from './dial-input.ts';
import { applyDialEvent } from './lead-state.ts';
import type { StoredNumber } from './load-numbers.ts';

/** A number that the rule allows to be dialed now, with a slot on its trunk. */
export interface DueNumber {
  number: StoredNumber;
  /** The lead that the number belongs to; the same object for the lead's own number. */
  main: StoredNumber;
  round: number;
  route: Route;
  /** The voice process that is to carry the call; null: one is selected when the call is dialed. */
  voice: VoiceFence | null;
  decision: DialDecision;
}

export async function placeCampaignCalls(
  tx: Tx,
  { campaign, configuration, at }: Pick<DialInput, 'campaign' | 'configuration' | 'at'>,
  due: readonly DueNumber[],
): Promise<void> {
  if (due.length === 0) return;
  // Ordered by number: two campaigns of one owner that share numbers may wait for each other, but cannot deadlock.
  const calls = due
    .toSorted((a, b) => (a.number.phoneNumber < b.number.phoneNumber ? -1 : 1))
    .map((dial) => callTo(dial));
  const shared = {
    userId: campaign.userId,
    type: 'outbound' as const,
    configuration,
    at,
    campaign,
    tokenId: campaign.tokenId,
  };
  const leadIds = due.flatMap(({ number, main }) => [number.leadId, main.leadId]);
  const [callIds] = await sendTogether(tx, [
    (tx) => insertCalls(tx, shared, calls),
    (tx) => applyDialEvent(tx, leadIds, 'claimed'),
  ]);
  await enqueueDials(tx, callIds);
}

function callTo({ number, main, round, route, voice, decision }: DueNumber): NewCallRow {
  return {
    assistantPhoneNumber: route.callerNumber,
    clientPhoneNumber: number.phoneNumber,
    // The variables of a secondary contact take precedence over those of its lead.
    inputVariables: { ...main.variables, ...number.variables },
    trunkId: route.trunkId,
    sipCallId: randomUUID(),
    leadId: number.leadId,
    attempt: round,
    decision,
    intendedFor: voice,
  };
}
