/**
 * The dial rule: decides whether a lead is called now and on which number, when at the earliest, or never, and why. It
 * is applied by the claim, by the last check before the INVITE, by the explanation of a lead and by the forecast. See
 * docs/api.md, "Campaigns" and "Leads".
 *
 * A round calls the lead's own number, then its contacts in order, until one is reached. A queue entry names the round
 * and the number whose turn it is; numbers that may not be called are skipped.
 */
import type { DestinationRefusal } from '../capacity/destination.rules.ts';
import type { TrunkHold, TrunkHoldReason } from '../capacity/route-call.rules.ts';
import type { CallingWindow, WindowState } from './calling-window.rules.ts';
import { commonWindowAt } from './common-window.rules.ts';

/** The settings of a campaign that decide. */
export interface DialCampaign extends CallingWindow {
  status: 'draft' | 'in-progress' | 'stopped' | 'completed';
  isDeleted: boolean;
  /** Rounds after the first. */
  maxRetries: number;
  retryIntervalSeconds: number;
  /** Only numbers with a record of consent are called. */
  isConsentRequired: boolean;
}

/** One number of a lead: the lead itself, or a secondary contact. */
export interface LeadNumber {
  leadId: number;
  phoneNumber: string;
  status: 'created' | 'completed' | 'reached-max-retries';
  /** Is on the do-not-call list of the user. */
  isForbidden: boolean;
  /** The user has a record of consent for it. */
  hasConsent: boolean;
  /** Is in another call of the user at this moment. */
  isInCall: boolean;
  /** When the limits of attempts per number allow another one; null: now. */
  attemptAllowedAt: Date | null;
}

/** A number with everything else that decides whether it can be called now. */
export interface DialNumber extends LeadNumber {
  /** Time zones in which the calling window must be open too; empty: only the campaign's own zone counts. */
  zones: readonly string[];
  /** Why no trunk carries a call to it now; null: one does. */
  trunkHold: TrunkHold | null;
  /** Why the operator's settings forbid to dial it; null: they do not. */
  refusal: DestinationRefusal | null;
}

/** Free slots under each limit but those of trunks; 0 or less: none. */
export interface FreeSlots {
  /** Under `max_calls_in_parallel`. */
  campaign: number;
  /** Under the limit of the account. */
  account: number;
  /** Under the capacity of the voice processes. */
  fleet: number;
}

/** The input of the dial rule. */
export interface DialQuestion {
  campaign: DialCampaign;
  /** Its assistant exists, is active, and makes calls. */
  isAssistantReady: boolean;
  /** The lead, then its contacts in order. Empty when it was deleted. */
  numbers: readonly DialNumber[];
  /** The number whose turn it is. */
  turnLeadId: number;
  /** Counts from 1. */
  round: number;
  /** When the lead is due, for example after the retry interval. */
  readyAt: Date;
  freeSlots: FreeSlots;
  now: Date;
  /** The time by the clock of the database. The window must be open by both clocks, because either may be wrong. */
  databaseNow: Date;
}

/** Why a lead is not called now. */
export type WaitReason =
  | 'campaign_not_started'
  | 'campaign_stopped'
  | 'campaign_completed'
  | 'assistant_not_ready'
  | 'not_due'
  | 'window_closed'
  | 'lead_window_closed'
  | 'number_in_call'
  | 'attempt_limit'
  | 'calls_in_parallel'
  | 'account_calls'
  | 'no_capacity'
  | 'round_over'
  | 'disarmed'
  | 'account_disabled'
  | TrunkHoldReason;
/** Why a lead is never called. */
export type NeverReason =
  | 'campaign_deleted'
  | 'lead_deleted'
  | 'lead_done'
  | 'max_retries'
  | 'do_not_call'
  | 'consent_missing'
  | 'no_allowed_time'
  | DestinationRefusal;
/** When such a reason goes away, the lead is queued again (`lead-state.ts`). */
export const BLOCKING_REASONS: ReadonlySet<NeverReason> = new Set([
  'do_not_call',
  'consent_missing',
  'country_not_allowed',
  'number_type_blocked',
  'no_allowed_time',
]);

/** Why a lead is called now: first call, next number of the same round, or another round. */
export type DialReason = 'first_call' | 'next_contact' | 'retry';

/** The result. `until` is null when the wait depends on an event: a start by the owner, or the end of a call. */
export type DialVerdict =
  | { do: 'dial'; number: DialNumber; reason: DialReason }
  | {
      do: 'wait';
      until: Date | null;
      reason: WaitReason;
      round: number;
      turnLeadId: number;
      /** Present if a trunk is the reason. */
      trunkHold?: TrunkHold;
    }
  | { do: 'never'; reason: NeverReason };

/** A number that is in another call is checked again after this many milliseconds. */
export const NUMBER_IN_CALL_PAUSE_MS = 5_000;

/** Applies the dial rule: first what ends the lead, then what the campaign waits for, then what the number waits for. */
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
  const wanted = numbers.filter(isCallable);
  if (wanted.length === 0) return never('do_not_call');
  const callable = wanted.filter((number) => !isConsentMissing(campaign, number));
  const [first] = callable;
  if (!first) return never('consent_missing');
  if (first.refusal !== null && callable.every(({ refusal }) => refusal !== null))
    return never(first.refusal);
  return callable.some((number) => number.refusal === null && hasHours(question, number))
    ? null
    : never('no_allowed_time');
}

const STATUS_WAITS: Record<DialCampaign['status'], WaitReason | null> = {
  draft: 'campaign_not_started',
  'in-progress': null,
  stopped: 'campaign_stopped',
  completed: 'campaign_completed',
};

function campaignWaitOf(question: DialQuestion): DialVerdict | null {
  const { campaign, freeSlots, readyAt, now } = question;
  const statusReason = STATUS_WAITS[campaign.status];
  if (statusReason) return wait(question, null, statusReason);
  if (!question.isAssistantReady) return wait(question, null, 'assistant_not_ready');
  if (readyAt > now) return wait(question, firstOpen(campaign, readyAt), 'not_due');
  const window = windowBy(question, []);
  if (!window.isOpen) {
    return window.opensAt ? wait(question, window.opensAt, 'window_closed') : never('no_allowed_time');
  }
  if (freeSlots.campaign <= 0) return wait(question, null, 'calls_in_parallel');
  if (freeSlots.account <= 0) return wait(question, null, 'account_calls');
  return freeSlots.fleet > 0 ? null : wait(question, null, 'no_capacity');
}

/** The first time at which the window is open, from when the lead is due. */
function firstOpen(campaign: DialCampaign, instant: Date): Date {
  const window = commonWindowAt(campaign, [], instant);
  return window.isOpen ? instant : (window.opensAt ?? instant);
}

function decideNumber(question: DialQuestion): DialVerdict {
  const { campaign, numbers, turnLeadId, now, databaseNow } = question;
  // If the contact whose turn it was has been deleted, the round begins again with the lead's own number.
  const turn = Math.max(
    0,
    numbers.findIndex(({ leadId }) => leadId === turnLeadId),
  );
  const number = numbers.slice(turn).find((one) => isDialable(campaign, one) && hasHours(question, one));
  if (!number) return endRound(question);
  const window = windowBy(question, number.zones);
  if (!window.isOpen) return wait(question, window.opensAt, 'lead_window_closed');
  if (number.isInCall)
    return wait(question, new Date(now.getTime() + NUMBER_IN_CALL_PAUSE_MS), 'number_in_call');
  const { attemptAllowedAt, trunkHold } = number;
  if (isAttemptTooEarly({ attemptAllowedAt, now, databaseNow }))
    return wait(question, attemptAllowedAt, 'attempt_limit');
  if (trunkHold) return { ...wait(question, trunkHold.until, trunkHold.reason), trunkHold };
  return { do: 'dial', number, reason: reasonFor(question, number) };
}

/** An attempt is allowed only if its time has come by both clocks. */
export function isAttemptTooEarly({
  attemptAllowedAt,
  now,
  databaseNow,
}: Pick<DialNumber, 'attemptAllowedAt'> & Pick<DialQuestion, 'now' | 'databaseNow'>): boolean {
  return attemptAllowedAt !== null && (attemptAllowedAt > now || attemptAllowedAt > databaseNow);
}

/** All numbers of the round have been called. */
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

/** Whether a number takes part in the rounds of its lead. */
export function isCallable({ status, isForbidden }: Pick<LeadNumber, 'status' | 'isForbidden'>): boolean {
  return status === 'created' && !isForbidden;
}

/** Whether the campaign requires a record of consent that the number does not have. */
export function isConsentMissing(
  { isConsentRequired }: Pick<DialCampaign, 'isConsentRequired'>,
  { hasConsent }: Pick<LeadNumber, 'hasConsent'>,
): boolean {
  return isConsentRequired && !hasConsent;
}

function isDialable(campaign: DialCampaign, number: DialNumber): boolean {
  return isCallable(number) && !isConsentMissing(campaign, number) && number.refusal === null;
}

/** Whether the window is ever open in the zones of the campaign and of the number at the same time. */
function hasHours(question: DialQuestion, { zones }: DialNumber): boolean {
  const window = windowBy(question, zones);
  return window.isOpen || window.opensAt !== null;
}

/** The window is open only if it is open by both clocks; otherwise the later opening counts. */
function windowBy({ campaign, now, databaseNow }: DialQuestion, zones: readonly string[]): WindowState {
  return laterWindow(commonWindowAt(campaign, zones, now), commonWindowAt(campaign, zones, databaseNow));
}

/** Combines the states of a window by two clocks that may differ. */
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
