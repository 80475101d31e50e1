/**
 * Claims due leads from the dial queue, applies the dial rule to each, and begins the calls that it allows. The caller
 * holds the lock of the campaign, so that claims of one campaign never overlap. Leads that another transaction has
 * locked are delayed.
 */
import { sendTogether, statement, type Tx } from '@parley/db';
import { takeSlot } from '../capacity/call-capacity.ts';
import type { DialDecision } from '../calls/insert-call.ts';
import type { TrunkHold } from '../capacity/route-call.rules.ts';
import { takeVoiceSlot } from '../capacity/lease.ts';
import { commonWindowAt } from './common-window.rules.ts';
import { dialNumberOf, freeSlotsOf, routeTo, type DialInput } from './dial-input.ts';
import {
  BLOCKING_REASONS,
  decideDial,
  NUMBER_IN_CALL_PAUSE_MS,
  type DialVerdict,
  type NeverReason,
} from './dial-rule.rules.ts';
import { insertQueueEntry, removeQueueEntries } from './dial-queue.ts';
import { applyDialEvent, giveUpLeads } from './lead-state.ts';
import { queueingFor } from './lead-state.rules.ts';
import { loadNumbers, type StoredNumber } from './load-numbers.ts';
import { announceSettledLead } from '../outbox/announce-events.ts';
import { placeCampaignCalls, type DueNumber } from './place-campaign-calls.ts';

/** Delay of a lead that another transaction has locked, for example because its owner is changing it. */
const HELD_PAUSE_MS = 1_000;

/** Delay of a lead that no trunk reaches: a trunk may be added. */
const NO_TRUNK_PAUSE_MS = 600_000;
/** Delay of a lead whose trunks are full while others are free. */
const FULL_TRUNK_PAUSE_MS = 5_000;

interface TakenEntry {
  leadId: number;
  attempt: number;
  readyAt: Date;
}

const selectReady = statement<TakenEntry>(
  'ready_queue_entries',
  `select lead_id, attempt, ready_at from dial_queue where campaign_id = $1 and ready_at <= $2
   order by ready_at, lead_id limit $3 for update skip locked`,
);
/** An update, because inserting a row would wait for the lock of the lead. */
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

/** The result of a claim. */
export interface Claim {
  /** Number of queue entries that were claimed, including those that were queued again; 0: none is due. */
  taken: number;
  /** Calls that have begun. */
  due: DueNumber[];
  /** The hold of a trunk that one of them waits for; null: none does. */
  trunkHold: TrunkHold | null;
}

/** @param limit - number of queue entries to claim, at least 1; at most the free slots of `input` */
export async function claimLeads(tx: Tx, input: DialInput, limit: number): Promise<Claim> {
  const { campaign, at } = input;
  const entries = await tx.query(selectReady, [campaign.id, at, limit]);
  if (entries.length === 0) return { taken: 0, due: [], trunkHold: null };
  const leadIds = entries.map(({ leadId }) => leadId);
  const families = await lockFamilies(tx, leadIds);
  const claim: Claim = { taken: entries.length, due: [], trunkHold: null };
  // Entries are removed first, because some are inserted again.
  await sendTogether(tx, [
    (tx) => takeOut(tx, { leadIds, families, at }),
    (tx) => decideAll(tx, { input, entries, families, claim }),
  ]);
  return claim;
}

async function decideAll(
  tx: Tx,
  {
    input,
    entries,
    families,
    claim,
  }: Pick<ClaimedEntry, 'input' | 'claim'> & { entries: TakenEntry[]; families: Families },
): Promise<void> {
  for (const entry of entries) {
    const numbers = families.get(entry.leadId);
    const [main] = numbers ?? [];
    if (numbers && main) await decide(tx, { input, entry, numbers, main, claim });
  }
  await placeCampaignCalls(tx, input, claim.due);
}

/** All numbers of each claimed lead, by the id of the number whose turn it is. */
type Families = Map<number, StoredNumber[]>;

/** @returns the numbers of the leads that are locked now, without those that other transactions hold */
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

/** Removes the entries of the locked leads, and delays the others. */
async function takeOut(
  tx: Tx,
  { leadIds, families, at }: { leadIds: readonly number[]; families: Families; at: Date },
): Promise<void> {
  const held = leadIds.filter((leadId) => !families.has(leadId));
  await sendTogether(tx, [
    (tx) => removeQueueEntries(tx, [...families.keys()]),
    held.length > 0 && ((tx) => tx.query(delayHeld, [held, new Date(at.getTime() + HELD_PAUSE_MS)])),
  ]);
}

interface ClaimedEntry {
  input: DialInput;
  entry: TakenEntry;
  numbers: readonly StoredNumber[];
  /** The first of them. */
  main: StoredNumber;
  /** The result of the entries before it. */
  claim: Claim;
}

/** Applies the dial rule to an entry: begins a call, queues the lead again, or gives it up. */
async function decide(tx: Tx, claimed: ClaimedEntry): Promise<void> {
  const { input, entry, numbers, claim } = claimed;
  const verdict = decideDial({
    campaign: input.campaign,
    isAssistantReady: true,
    numbers: numbers.map((number) => dialNumberOf(input, number)),
    turnLeadId: entry.leadId,
    round: entry.attempt,
    readyAt: entry.readyAt,
    freeSlots: freeSlotsOf(input),
    now: input.at,
    databaseNow: input.databaseNow,
  });
  if (verdict.do === 'never') return giveUp(tx, claimed, verdict.reason);
  if (verdict.do === 'wait') {
    if (verdict.trunkHold?.trunkId != null)
      claim.trunkHold = { ...verdict.trunkHold, until: pauseEnd(input, verdict) };
    return delay(tx, claimed, verdict);
  }
  const isTwice = claim.due.some((dial) => dial.number.phoneNumber === verdict.number.phoneNumber);
  if (isTwice)
    return putBack(tx, { ...entry, readyAt: new Date(input.at.getTime() + NUMBER_IN_CALL_PAUSE_MS) });
  claim.due.push(begin(claimed, verdict));
}

/** Takes a slot for the call under each limit. */
function begin(
  { input, entry, numbers, main }: ClaimedEntry,
  { number: { leadId, zones }, reason }: Extract<DialVerdict, { do: 'dial' }>,
): DueNumber {
  const number = numbers.find((one) => one.leadId === leadId) ?? main;
  const routing = routeTo(input, number.phoneNumber);
  if (!('route' in routing)) throw new Error('A number was to be dialed without a trunk');
  const window = commonWindowAt(input.campaign, zones, input.at);
  const decision: DialDecision = {
    reason,
    dueAt: entry.readyAt.toISOString(),
    windowClosesAt: window.isOpen ? window.closesAt.toISOString() : null,
    freeCalls: input.free,
  };
  takeSlot(input.capacity, routing.route.trunkId);
  const voice = takeVoiceSlot(input.voices);
  input.free -= 1;
  // Rotates the caller numbers.
  if (input.campaign.phoneNumberIds.length > 1) input.campaign.callerTurn += 1;
  return { number, main, round: entry.attempt, route: routing.route, voice, decision };
}

async function delay(
  tx: Tx,
  { input, entry, main }: ClaimedEntry,
  verdict: Extract<DialVerdict, { do: 'wait' }>,
): Promise<void> {
  await applyDialEvent(tx, [entry.leadId, main.leadId], queueingFor(verdict.round), verdict.reason);
  const readyAt = pauseEnd(input, verdict);
  return putBack(tx, { leadId: verdict.turnLeadId, attempt: verdict.round, readyAt });
}

/** When to check the lead again. */
function pauseEnd({ at }: DialInput, { until, reason }: Extract<DialVerdict, { do: 'wait' }>): Date {
  const pauseMs = reason === 'no_line' ? NO_TRUNK_PAUSE_MS : FULL_TRUNK_PAUSE_MS;
  return until ?? new Date(at.getTime() + pauseMs);
}

/** Ends dialing of the lead, unless its owner changes something. */
async function giveUp(tx: Tx, { numbers, main, input }: ClaimedEntry, reason: NeverReason): Promise<void> {
  const ids = numbers.map(({ leadId }) => leadId);
  if (reason === 'max_retries') await settle(tx, { ids, main, input });
  await applyDialEvent(tx, ids, BLOCKING_REASONS.has(reason) ? 'blocked' : 'ended', reason);
}

async function settle(
  tx: Tx,
  { ids, main, input: { campaign, at } }: Pick<ClaimedEntry, 'main' | 'input'> & { ids: readonly number[] },
): Promise<void> {
  await giveUpLeads(tx, ids, at);
  await announceSettledLead(tx, campaign, {
    leadId: main.leadId,
    status: 'reached-max-retries',
    call: null,
    at,
  });
}

async function putBack(tx: Tx, { leadId, attempt, readyAt }: TakenEntry): Promise<void> {
  await insertQueueEntry(tx, { leadId, round: attempt, readyAt });
}
