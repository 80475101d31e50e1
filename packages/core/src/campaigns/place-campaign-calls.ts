/** Writes the calls of claimed leads, exactly as `calls/place-call.ts` does for one, and the jobs that dial them. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@parley/db';
import type { CallConfiguration } from '../calls/call-configuration.ts';
import { insertCalls, type NewCallRow } from '../calls/insert-call.ts';
import type { Lines } from '../calls/load-lines.ts';
import { routeCall } from '../calls/route-call.rules.ts';
import { enqueueDials } from '../jobs/enqueue-dial.ts';
import type { StoredCampaign } from './campaign-rows.ts';
import { setDialState } from './lead-writes.ts';
import type { StoredNumber } from './load-numbers.ts';

/** A number that the rule allows to be dialed now. */
export interface DueNumber {
  number: StoredNumber;
  /** The lead it belongs to, which may be itself. */
  main: StoredNumber;
  round: number;
}

/** What every call of a claim has in common. */
export interface DialMeans {
  campaign: StoredCampaign;
  configuration: CallConfiguration;
  lines: Lines;
  at: Date;
}

/** @returns numbers that no line reaches; all others are calls now */
export async function placeCampaignCalls(
  tx: Tx,
  means: DialMeans,
  due: readonly DueNumber[],
): Promise<DueNumber[]> {
  const { campaign, configuration, at } = means;
  const unreachable: DueNumber[] = [];
  const calls: NewCallRow[] = [];
  // In the order of their numbers: two campaigns of one owner that share numbers wait for each other, but in no circle.
  for (const dial of due.toSorted((a, b) => (a.number.phoneNumber < b.number.phoneNumber ? -1 : 1))) {
    const call = callTo(means, dial);
    if (call) calls.push(call);
    else unreachable.push(dial);
  }
  if (calls.length === 0) return unreachable;
  const shared = { userId: campaign.userId, type: 'outbound' as const, configuration, at, campaign };
  const callIds = await insertCalls(tx, shared, calls);
  const dialed = due.filter((dial) => !unreachable.includes(dial));
  const leadIds = dialed.flatMap(({ number, main }) => [number.leadId, main.leadId]);
  await setDialState(tx, leadIds, 'dialing');
  await enqueueDials(tx, callIds);
  return unreachable;
}

/** @returns null when no line reaches the number; otherwise the next caller number has had its turn */
function callTo(
  { campaign, configuration, lines }: DialMeans,
  { number, main, round }: DueNumber,
): NewCallRow | null {
  const assistantNumberId = callerNumberId(campaign, lines) ?? configuration.assistant.phoneNumberId;
  const route = routeCall({ to: number.phoneNumber, assistantNumberId, ...lines });
  if (!route) return null;
  if (campaign.phoneNumberIds.length > 1) campaign.callerTurn += 1;
  return {
    assistantPhoneNumber: route.callerNumber,
    clientPhoneNumber: number.phoneNumber,
    // A contact's own variables come before those of the lead it stands in for.
    inputVariables: { ...main.variables, ...number.variables },
    trunkId: route.trunkId,
    sipCallId: randomUUID(),
    leadId: number.leadId,
    attempt: round,
  };
}

/** The campaign's caller numbers in turn; those that were removed from the account are passed over. */
function callerNumberId(campaign: StoredCampaign, lines: Lines): number | null {
  const ids = campaign.phoneNumberIds.filter((id) => lines.numbers.some((number) => number.id === id));
  return ids[campaign.callerTurn % ids.length] ?? null;
}
