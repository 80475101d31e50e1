/** Writes the calls of claimed leads, exactly as `lifecycle/place-call.ts` does for one, and the jobs that dial them. */
import { randomUUID } from 'node:crypto';
import { sendTogether, type Tx } from '@parley/db';
import { insertCalls, type DialDecision, type NewCallRow } from '../calls/insert-call.ts';
import type { Route } from '../capacity/route-call.rules.ts';
import { enqueueDials } from '../jobs/enqueue-dial.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import type { DialInput } from './dial-input.ts';
import { setDialState } from './lead-writes.ts';
import type { StoredNumber } from './load-numbers.ts';

/** A number that the rule allows to be dialed now, with a place on its line. */
export interface DueNumber {
  number: StoredNumber;
  /** The lead it belongs to, which may be itself. */
  main: StoredNumber;
  round: number;
  route: Route;
  /** Who is to carry the call; null: whoever has room when it is dialed. */
  voice: VoiceFence | null;
  decision: DialDecision;
}

export async function placeCampaignCalls(
  tx: Tx,
  { campaign, configuration, at }: Pick<DialInput, 'campaign' | 'configuration' | 'at'>,
  due: readonly DueNumber[],
): Promise<void> {
  if (due.length === 0) return;
  // In the order of their numbers: two campaigns of one owner that share numbers wait for each other, but in no circle.
  const calls = due
    .toSorted((a, b) => (a.number.phoneNumber < b.number.phoneNumber ? -1 : 1))
    .map((dial) => callTo(dial));
  const shared = { userId: campaign.userId, type: 'outbound' as const, configuration, at, campaign };
  const leadIds = due.flatMap(({ number, main }) => [number.leadId, main.leadId]);
  const [callIds] = await sendTogether(tx, [
    (tx) => insertCalls(tx, shared, calls),
    (tx) => setDialState(tx, leadIds, 'dialing'),
  ]);
  await enqueueDials(tx, callIds);
}

function callTo({ number, main, round, route, voice, decision }: DueNumber): NewCallRow {
  return {
    assistantPhoneNumber: route.callerNumber,
    clientPhoneNumber: number.phoneNumber,
    // A contact's own variables come before those of the lead it stands in for.
    inputVariables: { ...main.variables, ...number.variables },
    trunkId: route.trunkId,
    sipCallId: randomUUID(),
    leadId: number.leadId,
    attempt: round,
    decision,
    intendedFor: voice,
  };
}
