/**
 * Takes leads whose time has come out of the queue and passes each through the rule. The campaign is locked by the
 * caller, so that nobody else claims from it; leads that somebody is changing right now are left for a moment later.
 */
import { statement, type Tx } from '@parley/db';
import type { StoredCampaign } from './campaign-rows.ts';
import { decideDial, NUMBER_IN_CALL_PAUSE_MS, type DialVerdict } from './dial-rule.rules.ts';
import { dropPlaces, queuePlace, setDialState, setLeadStatus } from './lead-writes.ts';
import { loadNumbers, type StoredNumber } from './load-numbers.ts';
import type { DueNumber } from './place-campaign-calls.ts';

/** A lead that somebody else holds, for example because its owner is changing it, is looked at again this much later. */
const HELD_PAUSE_MS = 1_000;

interface TakenPlace {
  leadId: number;
  attempt: number;
}

const selectReady = statement<TakenPlace>(
  'ready_places',
  `select lead_id, attempt from dial_queue where campaign_id = $1 and ready_at <= $2
   order by ready_at, lead_id limit $3 for update skip locked`,
);
/** Moved, not written anew: a new row would ask for the lead's lock, and wait for it. */
const delayHeld = statement(
  'delay_held_leads',
  `update dial_queue set ready_at = $2 where lead_id = any($1)`,
);
const lockLeads = statement<{ id: number }>(
  'lock_claimed_leads',
  `select id from leads where id in (
     select unnest($1::bigint[]) union select parent_id from leads where id = any($1) and parent_id is not null)
   for update skip locked`,
);

/** What a claim brings. */
export interface Claim {
  /** Places that were taken, whatever became of them; 0: nothing is ready. */
  taken: number;
  due: DueNumber[];
}

/** @param limit - calls that may begin; at least 1 */
export async function claimLeads(
  tx: Tx,
  campaign: StoredCampaign,
  { limit, at }: { limit: number; at: Date },
): Promise<Claim> {
  const places = await tx.query(selectReady, [campaign.id, at, limit]);
  if (places.length === 0) return { taken: 0, due: [] };
  const families = await takeFamilies(tx, places, at);
  const due: DueNumber[] = [];
  for (const place of places) {
    const numbers = families.get(place.leadId);
    const [main] = numbers ?? [];
    if (!numbers || !main) continue;
    const number = await decide(tx, { campaign, place, numbers, at, claimed: due });
    if (number) due.push({ number, main, round: place.attempt });
  }
  return { taken: places.length, due };
}

/** @returns the numbers of the leads that are ours now and out of the queue; those that somebody holds are delayed */
async function takeFamilies(
  tx: Tx,
  places: readonly TakenPlace[],
  at: Date,
): Promise<Map<number, StoredNumber[]>> {
  const leadIds = places.map(({ leadId }) => leadId);
  const locked = new Set((await tx.query(lockLeads, [leadIds])).map(({ id }) => id));
  const families = await loadNumbers(tx, leadIds);
  for (const [leadId, [main]] of families) {
    if (!locked.has(leadId) || !main || !locked.has(main.leadId)) families.delete(leadId);
  }
  await dropPlaces(tx, [...families.keys()]);
  const held = leadIds.filter((leadId) => !families.has(leadId));
  if (held.length > 0) await tx.query(delayHeld, [held, new Date(at.getTime() + HELD_PAUSE_MS)]);
  return families;
}

interface ClaimedPlace {
  campaign: StoredCampaign;
  place: TakenPlace;
  numbers: readonly StoredNumber[];
  at: Date;
  /** What the same claim dials already. */
  claimed: readonly DueNumber[];
}

/** @returns the number to dial now; null: the lead was put where the rule wants it */
async function decide(tx: Tx, claim: ClaimedPlace): Promise<StoredNumber | null> {
  const { campaign, place, numbers, at, claimed } = claim;
  const verdict = decideDial({
    campaign,
    numbers,
    turnLeadId: place.leadId,
    round: place.attempt,
    freeCalls: 1,
    now: at,
  });
  if (verdict.do === 'never') return giveUp(tx, claim, verdict.reason);
  if (verdict.do === 'wait') return delay(tx, claim, verdict);
  const number = numbers.find(({ leadId }) => leadId === verdict.number.leadId) ?? null;
  const isTwice = claimed.some((dial) => dial.number.phoneNumber === number?.phoneNumber);
  if (!isTwice) return number;
  return putBack(tx, place, new Date(at.getTime() + NUMBER_IN_CALL_PAUSE_MS));
}

async function delay(
  tx: Tx,
  { place, numbers, at }: ClaimedPlace,
  verdict: Extract<DialVerdict, { do: 'wait' }>,
): Promise<null> {
  const state = verdict.round === 1 ? 'waiting' : 'waiting-to-retry';
  await setDialState(tx, [place.leadId, numbers[0]?.leadId ?? place.leadId], state, verdict.reason);
  const next = { leadId: verdict.turnLeadId, attempt: verdict.round };
  return putBack(tx, next, verdict.until ?? at);
}

/** The lead will not be called again, unless its owner changes something. */
async function giveUp(tx: Tx, { numbers, at }: ClaimedPlace, reason: string): Promise<null> {
  const ids = numbers.map(({ leadId }) => leadId);
  const state = reason === 'do_not_call' ? 'blocked' : 'done';
  if (reason === 'max_retries') await setLeadStatus(tx, ids, 'reached-max-retries', at);
  await setDialState(tx, ids, state, reason);
  return null;
}

async function putBack(tx: Tx, place: TakenPlace, readyAt: Date): Promise<null> {
  await queuePlace(tx, { leadId: place.leadId, round: place.attempt, readyAt });
  return null;
}
