/**
 * What a finished call means for its lead: done, the next number of the round, another round later, given up, or as if
 * nothing had happened. See docs/api.md, "Campaigns", "Leads" and "Calls".
 */
import type { CallStatus, EndReason } from '@parley/contracts';
import { isLostAfterAnswer, pauseOfUnmadeAttempt } from '../shared/end-reason.rules.ts';
import { isCallable, type LeadNumber } from './dial-rule.rules.ts';

/** What is known of the call. */
export interface FinishedDial {
  /** One of the four final states. */
  status: CallStatus;
  endedReason: EndReason | null;
  answeredBy: 'human' | 'machine' | 'unknown';
  hasCustomerSpoken: boolean;
  evaluation: Record<string, unknown>;
  variables: Record<string, unknown>;
}

/** Settings of the campaign. */
export interface OutcomeSettings {
  maxRetries: number;
  retryIntervalSeconds: number;
  isVoicemailRetried: boolean;
  isUnmetGoalRetried: boolean;
  goalVariable: string | null;
}

/** `missed` is an attempt that failed; `not-made` was no attempt: the fault was ours, or somebody stopped it. */
export type DialResult =
  | { kind: 'reached' }
  | { kind: 'missed'; reason: string }
  | { kind: 'not-made'; reason: string; pauseMs: number };

/** What becomes of the lead. */
export type LeadOutcome =
  | { do: 'complete' }
  | { do: 'give-up'; reason: string }
  /** Its owner has ended it meanwhile. */
  | { do: 'nothing' }
  /** A place in the queue. */
  | { do: 'queue'; leadId: number; round: number; readyAt: Date; reason: string };

const AT_ONCE_MS = 0;

/** Values that a model, a tool or a form writes for "no". An empty value is no answer: nobody evaluated the call. */
const NO = [false, 0, 'false', 'no', '0'];

/** Whether a call that is over counts as an attempt. */
export function isAttempt(call: Pick<FinishedDial, 'status' | 'endedReason'>): boolean {
  return unmadePauseMs(call) === null;
}

/** A busy or silent phone is always an attempt, whatever the reason beside the status. */
function unmadePauseMs({ status, endedReason }: Pick<FinishedDial, 'status' | 'endedReason'>): number | null {
  return status === 'failed' ? pauseOfUnmadeAttempt(endedReason ?? 'failed') : null;
}

/** What the call was: reached, missed, or no attempt at all. */
export function resultOf(call: FinishedDial, settings: OutcomeSettings): DialResult {
  if (call.status !== 'completed') {
    const reason = call.endedReason ?? call.status;
    const pauseMs = unmadePauseMs(call);
    return pauseMs === null ? { kind: 'missed', reason } : { kind: 'not-made', reason, pauseMs };
  }
  const reason = missedThough(call, settings);
  return reason === null ? { kind: 'reached' } : { kind: 'missed', reason };
}

/** Why an answered call is tried again; null: it is not. */
function missedThough(call: FinishedDial, settings: OutcomeSettings): string | null {
  if (isLostAfterAnswer(call.endedReason) && !call.hasCustomerSpoken) return call.endedReason;
  if (call.answeredBy === 'machine') return settings.isVoicemailRetried ? 'voicemail' : null;
  return isGoalUnmet(call, settings) ? 'goal_unmet' : null;
}

function isGoalUnmet(call: FinishedDial, { isUnmetGoalRetried, goalVariable }: OutcomeSettings): boolean {
  if (!isUnmetGoalRetried || goalVariable === null) return false;
  const value = ownValue(call.evaluation, goalVariable) ?? ownValue(call.variables, goalVariable);
  return NO.some((no) => (typeof value === 'string' ? value.trim().toLowerCase() === no : value === no));
}

/** Names come from users: `constructor` must not find anything. */
function ownValue(values: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Where the lead stands. */
export interface LeadSituation {
  result: DialResult;
  /** The lead, then its contacts in order. */
  numbers: readonly Pick<LeadNumber, 'leadId' | 'status' | 'isForbidden'>[];
  calledLeadId: number;
  round: number;
  endedAt: Date;
}

/** Decides. The rule for dials has the last word about whatever is queued here. */
export function decideLeadOutcome(situation: LeadSituation, settings: OutcomeSettings): LeadOutcome {
  const { result, calledLeadId, round } = situation;
  if (result.kind === 'reached') return { do: 'complete' };
  if (situation.numbers[0]?.status !== 'created') return { do: 'nothing' };
  if (result.kind === 'not-made') return queue(situation, calledLeadId, { round, pauseMs: result.pauseMs });
  const next = nextContact(situation);
  if (next !== undefined) return queue(situation, next, { round, pauseMs: AT_ONCE_MS });
  if (round > settings.maxRetries) return { do: 'give-up', reason: result.reason };
  const mainId = situation.numbers[0]?.leadId ?? calledLeadId;
  return queue(situation, mainId, { round: round + 1, pauseMs: settings.retryIntervalSeconds * 1000 });
}

/** The number after the one that was called; the lead's own is never a next one. */
function nextContact({ numbers, calledLeadId }: LeadSituation): number | undefined {
  const called = numbers.findIndex(({ leadId }) => leadId === calledLeadId);
  return numbers.slice(called + 1).find((number, index) => called + 1 + index > 0 && isCallable(number))
    ?.leadId;
}

function queue(
  { result, endedAt }: LeadSituation,
  leadId: number,
  { round, pauseMs }: { round: number; pauseMs: number },
): LeadOutcome {
  const reason = result.kind === 'reached' ? 'reached' : result.reason;
  return { do: 'queue', leadId, round, readyAt: new Date(endedAt.getTime() + pauseMs), reason };
}
