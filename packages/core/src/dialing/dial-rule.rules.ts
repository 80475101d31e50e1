/**
 * THE rule for every dial of a campaign: whether a lead is called now, which of its numbers, when at the earliest, or
 * never, and why. The claim asks it, the last check before the INVITE asks it again, and so do the explanation of a
 * lead and the forecast. See docs/api.md, "Campaigns" and "Leads".
 *
 * A round calls the lead's own number, then its contacts in order, until one is reached. A place in the queue names the
 * round and whose turn it is in it; numbers that may not be called are passed over.
 */
import type { LineHold, LineReason } from '../capacity/route-call.rules.ts';
import type { CallingWindow, WindowState } from './calling-window.rules.ts';
import { commonWindowAt } from './common-window.rules.ts';

/** The settings of a campaign that decide. */
export interface DialCampaign extends CallingWindow {
  status: 'draft' | 'in-progress' | 'stopped' | 'completed';
  isDeleted: boolean;
  /** Rounds after the first. */
  maxRetries: number;
  retryIntervalSeconds: number;
}

/** One number of a lead: the lead itself, or a secondary contact. */
export interface LeadNumber {
  leadId: number;
  phoneNumber: string;
  status: 'created' | 'completed' | 'reached-max-retries';
  /** On its owner's do-not-call list. */
  isForbidden: boolean;
  /** In another call of its owner at this moment. */
  isInCall: boolean;
}

/** A number, and what else decides whether it can be called now. */
export interface DialNumber extends LeadNumber {
  /** Time zones in which the hours of the campaign must be kept too; empty: only the campaign's own counts. */
  zones: readonly string[];
  /** Why no line carries a call to it now; null: one does. */
  lineHold: LineHold | null;
}

/** Calls that may still begin, by each limit that is not a line's; 0: none. */
export interface DialRoom {
  /** Up to `max_calls_in_parallel`. */
  campaign: number;
  /** Up to the limit of its owner. */
  account: number;
  /** As many as the voice processes can carry. */
  fleet: number;
}

/** What is asked. */
export interface DialQuestion {
  campaign: DialCampaign;
  /** Its assistant is there, active, and makes calls. */
  isAssistantReady: boolean;
  /** The lead, then its contacts in order. Empty when it was deleted. */
  numbers: readonly DialNumber[];
  /** The number whose turn it is. */
  turnLeadId: number;
  /** Counts from 1. */
  round: number;
  /** When the lead's time comes, for example after the retry interval. */
  readyAt: Date;
  room: DialRoom;
  now: Date;
  /** The database's clock. The hours must be kept by both, whichever of them is wrong. */
  databaseNow: Date;
}

/** Why not now. */
export type WaitReason =
  | 'campaign_not_started'
  | 'campaign_stopped'
  | 'campaign_completed'
  | 'assistant_not_ready'
  | 'not_due'
  | 'window_closed'
  | 'lead_window_closed'
  | 'number_in_call'
  | 'calls_in_parallel'
  | 'account_calls'
  | 'no_capacity'
  | 'round_over'
  | LineReason;
/** Why not at all. */
export type NeverReason =
  | 'campaign_deleted'
  | 'lead_deleted'
  | 'lead_done'
  | 'max_retries'
  | 'do_not_call'
  | 'no_allowed_time';
/** Why now: the first call to a lead, its next number in the same round, or another round. */
export type DialReason = 'first_call' | 'next_contact' | 'retry';

/** The answer. `until` is null where no clock tells: somebody has to start, or a call has to end. */
export type DialVerdict =
  | { do: 'dial'; number: DialNumber; reason: DialReason }
  | {
      do: 'wait';
      until: Date | null;
      reason: WaitReason;
      round: number;
      turnLeadId: number;
      /** Only where a line is the reason. */
      lineHold?: LineHold;
    }
  | { do: 'never'; reason: NeverReason };

/** How soon a number that is in another call is looked at again, milliseconds. */
export const NUMBER_IN_CALL_PAUSE_MS = 5_000;

/** Decides. What ends the lead comes first, then what holds up the campaign, then what holds up this number. */
export function decideDial(question: DialQuestion): DialVerdict {
  return neverOf(question) ?? campaignWaitOf(question) ?? decideNumber(question);
}

function neverOf(question: DialQuestion): DialVerdict | null {
  const { campaign, numbers, round } = question;
  const [main] = numbers;
  if (campaign.isDeleted) return never('campaign_deleted');
  if (!main) return never('lead_deleted');
  if (main.status !== 'created') return never('lead_done');
  if (round > 1 + campaign.maxRetries) return never('max_retries');
  const callable = numbers.filter(isCallable);
  if (callable.length === 0) return never('do_not_call');
  return callable.some((number) => hasHours(question, number)) ? null : never('no_allowed_time');
}

const STATUS_WAITS: Record<DialCampaign['status'], WaitReason | null> = {
  draft: 'campaign_not_started',
  'in-progress': null,
  stopped: 'campaign_stopped',
  completed: 'campaign_completed',
};

function campaignWaitOf(question: DialQuestion): DialVerdict | null {
  const { campaign, room, readyAt, now } = question;
  const statusReason = STATUS_WAITS[campaign.status];
  if (statusReason) return wait(question, null, statusReason);
  if (!question.isAssistantReady) return wait(question, null, 'assistant_not_ready');
  if (readyAt > now) return wait(question, firstOpen(campaign, readyAt), 'not_due');
  const window = windowBy(question, []);
  if (!window.isOpen) {
    return window.opensAt ? wait(question, window.opensAt, 'window_closed') : never('no_allowed_time');
  }
  if (room.campaign <= 0) return wait(question, null, 'calls_in_parallel');
  if (room.account <= 0) return wait(question, null, 'account_calls');
  return room.fleet > 0 ? null : wait(question, null, 'no_capacity');
}

/** The hours may be over when its time comes. */
function firstOpen(campaign: DialCampaign, instant: Date): Date {
  const window = commonWindowAt(campaign, [], instant);
  return window.isOpen ? instant : (window.opensAt ?? instant);
}

function decideNumber(question: DialQuestion): DialVerdict {
  const { numbers, turnLeadId, now } = question;
  // A turn that has vanished with its contact falls back to the lead: the round begins again rather than being lost.
  const turn = Math.max(
    0,
    numbers.findIndex(({ leadId }) => leadId === turnLeadId),
  );
  const number = numbers.slice(turn).find((one) => isCallable(one) && hasHours(question, one));
  if (!number) return endRound(question);
  const window = windowBy(question, number.zones);
  if (!window.isOpen) return wait(question, window.opensAt, 'lead_window_closed');
  if (number.isInCall)
    return wait(question, new Date(now.getTime() + NUMBER_IN_CALL_PAUSE_MS), 'number_in_call');
  const { lineHold } = number;
  if (lineHold) return { ...wait(question, lineHold.until, lineHold.reason), lineHold };
  return { do: 'dial', number, reason: reasonFor(question, number) };
}

/** Nobody is left to be called in this round. */
function endRound(question: DialQuestion): DialVerdict {
  const { campaign, numbers, turnLeadId, now } = question;
  const until = new Date(now.getTime() + campaign.retryIntervalSeconds * 1000);
  const next = { round: question.round + 1, turnLeadId: numbers[0]?.leadId ?? turnLeadId };
  return next.round > 1 + campaign.maxRetries ? never('max_retries') : wait(next, until, 'round_over');
}

function reasonFor({ numbers, round }: DialQuestion, number: DialNumber): DialReason {
  if (number.leadId !== numbers[0]?.leadId) return 'next_contact';
  return round === 1 ? 'first_call' : 'retry';
}

/** Whether a number takes part in its lead's rounds. */
export function isCallable({ status, isForbidden }: Pick<LeadNumber, 'status' | 'isForbidden'>): boolean {
  return status === 'created' && !isForbidden;
}

/** False: the hours of the campaign and of the number's own zones never meet. */
function hasHours(question: DialQuestion, { zones }: DialNumber): boolean {
  const window = windowBy(question, zones);
  return window.isOpen || window.opensAt !== null;
}

/** Open only by both clocks; otherwise it opens when the later one says so. */
function windowBy({ campaign, now, databaseNow }: DialQuestion, zones: readonly string[]): WindowState {
  return laterWindow(commonWindowAt(campaign, zones, now), commonWindowAt(campaign, zones, databaseNow));
}

/** The window by two clocks that may disagree. */
export function laterWindow(one: WindowState, other: WindowState): WindowState {
  if (one.isOpen) {
    if (!other.isOpen) return other;
    return { isOpen: true, closesAt: one.closesAt < other.closesAt ? one.closesAt : other.closesAt };
  }
  if (other.isOpen || one.opensAt === null) return one;
  if (other.opensAt === null) return other;
  return one.opensAt > other.opensAt ? one : other;
}

function never(reason: NeverReason): DialVerdict {
  return { do: 'never', reason };
}

function wait(
  { round, turnLeadId }: Pick<DialQuestion, 'round' | 'turnLeadId'>,
  until: Date | null,
  reason: WaitReason,
): Extract<DialVerdict, { do: 'wait' }> {
  return { do: 'wait', until, reason, round, turnLeadId };
}
