/**
 * Takes leads whose time has come out of the queue, passes each through the rule, and begins the calls that it allows. The campaign is locked by the
 * caller, so that nobody else claims from it; leads that somebody is changing right now are left for a moment later.
 */
import { sendTogether, statement, type Tx } from '@parley/db';
import { takePlace } from '../capacity/call-room.ts';
import type { DialDecision } from '../calls/insert-call.ts';
import type { LineHold } from '../capacity/route-call.rules.ts';
import { takeVoiceRoom } from '../capacity/lease.ts';
import { commonWindowAt } from './common-window.rules.ts';
import { dialNumberOf, dialRoomOf, routeTo, type DialInput } from './dial-input.ts';
import { decideDial, NUMBER_IN_CALL_PAUSE_MS, type DialVerdict } from './dial-rule.rules.ts';
import { dropPlaces, queuePlace, setDialState, setLeadStatus } from './lead-writes.ts';
import { loadNumbers, type StoredNumber } from './load-numbers.ts';
import { placeCampaignCalls, type DueNumber } from './place-campaign-calls.ts';

/** A lead that somebody else holds, for example because its owner is changing it, is looked at again this much later. */
const HELD_PAUSE_MS = 1_000;

/** A lead that no line reaches is looked at again after this long: somebody may add a line. */
const NO_LINE_PAUSE_MS = 600_000;
/** One whose lines are full while others are free. */
const FULL_LINE_PAUSE_MS = 5_000;

interface TakenPlace {
  leadId: number;
  attempt: number;
  readyAt: Date;
}

const selectReady = statement<TakenPlace>(
  'ready_places',
  `select lead_id, attempt, ready_at from dial_queue where campaign_id = $1 and ready_at <= $2
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
  /** Calls that have begun. */
  due: DueNumber[];
  /** The line that one of them has to wait for; null: none has. */
  lineHold: LineHold | null;
}

/** @param limit - places that are looked at, at least 1; no more calls begin than the means have room for */
export async function claimLeads(tx: Tx, means: DialInput, limit: number): Promise<Claim> {
  const { campaign, at } = means;
  const places = await tx.query(selectReady, [campaign.id, at, limit]);
  if (places.length === 0) return { taken: 0, due: [], lineHold: null };
  const leadIds = places.map(({ leadId }) => leadId);
  const families = await lockFamilies(tx, leadIds);
  const claim: Claim = { taken: places.length, due: [], lineHold: null };
  // First out of the queue: some go back into it.
  await sendTogether(tx, [
    (tx) => takeOut(tx, { leadIds, families, at }),
    (tx) => decideAll(tx, { means, places, families, claim }),
  ]);
  return claim;
}

async function decideAll(
  tx: Tx,
  {
    means,
    places,
    families,
    claim,
  }: Pick<ClaimedPlace, 'means' | 'claim'> & { places: TakenPlace[]; families: Families },
): Promise<void> {
  for (const place of places) {
    const numbers = families.get(place.leadId);
    const [main] = numbers ?? [];
    if (numbers && main) await decide(tx, { means, place, numbers, main, claim });
  }
  await placeCampaignCalls(tx, means, claim.due);
}

/** By the lead whose turn it is. */
type Families = Map<number, StoredNumber[]>;

/** @returns the numbers of the leads that are ours now; those that somebody holds are missing */
async function lockFamilies(tx: Tx, leadIds: readonly number[]): Promise<Families> {
  const [rows, families] = await sendTogether(tx, [
    (tx) => tx.query(lockLeads, [leadIds]),
    (tx) => loadNumbers(tx, leadIds),
  ]);
  const locked = new Set(rows.map(({ id }) => id));
  for (const [leadId, [main]] of families) {
    if (!locked.has(leadId) || !main || !locked.has(main.leadId)) families.delete(leadId);
  }
  return families;
}

/** Those that somebody holds are delayed. */
async function takeOut(
  tx: Tx,
  { leadIds, families, at }: { leadIds: readonly number[]; families: Families; at: Date },
): Promise<void> {
  const held = leadIds.filter((leadId) => !families.has(leadId));
  await sendTogether(tx, [
    (tx) => dropPlaces(tx, [...families.keys()]),
    held.length > 0 && ((tx) => tx.query(delayHeld, [held, new Date(at.getTime() + HELD_PAUSE_MS)])),
  ]);
}

interface ClaimedPlace {
  means: DialInput;
  place: TakenPlace;
  numbers: readonly StoredNumber[];
  /** The first of them. */
  main: StoredNumber;
  /** What has come of the places before it. */
  claim: Claim;
}

/** The lead becomes a number to dial, or is put where the rule wants it. */
async function decide(tx: Tx, claimed: ClaimedPlace): Promise<void> {
  const { means, place, numbers, claim } = claimed;
  const verdict = decideDial({
    campaign: means.campaign,
    isAssistantReady: true,
    numbers: numbers.map((number) => dialNumberOf(means, number)),
    turnLeadId: place.leadId,
    round: place.attempt,
    readyAt: place.readyAt,
    room: dialRoomOf(means),
    now: means.at,
    databaseNow: means.databaseNow,
  });
  if (verdict.do === 'never') return giveUp(tx, claimed, verdict.reason);
  if (verdict.do === 'wait') {
    if (verdict.lineHold?.trunkId != null)
      claim.lineHold = { ...verdict.lineHold, until: pauseEnd(means, verdict) };
    return delay(tx, claimed, verdict);
  }
  const isTwice = claim.due.some((dial) => dial.number.phoneNumber === verdict.number.phoneNumber);
  if (isTwice)
    return putBack(tx, { ...place, readyAt: new Date(means.at.getTime() + NUMBER_IN_CALL_PAUSE_MS) });
  claim.due.push(begin(claimed, verdict));
}

/** Takes the call's place under every limit. */
function begin(
  { means, place, numbers, main }: ClaimedPlace,
  { number: { leadId, zones }, reason }: Extract<DialVerdict, { do: 'dial' }>,
): DueNumber {
  const number = numbers.find((one) => one.leadId === leadId) ?? main;
  const routing = routeTo(means, number.phoneNumber);
  if (!('route' in routing)) throw new Error('A number was to be dialed without a line');
  const window = commonWindowAt(means.campaign, zones, means.at);
  const decision: DialDecision = {
    reason,
    dueAt: place.readyAt.toISOString(),
    windowClosesAt: window.isOpen ? window.closesAt.toISOString() : null,
    freeCalls: means.free,
  };
  takePlace(means.room, routing.route.trunkId);
  const voice = takeVoiceRoom(means.voices);
  means.free -= 1;
  // The next caller number has its turn.
  if (means.campaign.phoneNumberIds.length > 1) means.campaign.callerTurn += 1;
  return { number, main, round: place.attempt, route: routing.route, voice, decision };
}

async function delay(
  tx: Tx,
  { means, place, main }: ClaimedPlace,
  verdict: Extract<DialVerdict, { do: 'wait' }>,
): Promise<void> {
  const state = verdict.round === 1 ? 'waiting' : 'waiting-to-retry';
  await setDialState(tx, [place.leadId, main.leadId], state, verdict.reason);
  const readyAt = pauseEnd(means, verdict);
  return putBack(tx, { leadId: verdict.turnLeadId, attempt: verdict.round, readyAt });
}

/** Where no clock tells, a line does. */
function pauseEnd({ at }: DialInput, { until, reason }: Extract<DialVerdict, { do: 'wait' }>): Date {
  const pauseMs = reason === 'no_line' ? NO_LINE_PAUSE_MS : FULL_LINE_PAUSE_MS;
  return until ?? new Date(at.getTime() + pauseMs);
}

/** The lead will not be called again, unless its owner changes something. */
async function giveUp(tx: Tx, { numbers, means }: ClaimedPlace, reason: string): Promise<void> {
  const ids = numbers.map(({ leadId }) => leadId);
  const state = reason === 'do_not_call' ? 'blocked' : 'done';
  if (reason === 'max_retries') await setLeadStatus(tx, ids, 'reached-max-retries', means.at);
  await setDialState(tx, ids, state, reason);
}

async function putBack(tx: Tx, { leadId, attempt, readyAt }: TakenPlace): Promise<void> {
  await queuePlace(tx, { leadId, round: attempt, readyAt });
}
