/**
 * What follows for a lead from a finished call: done, the next number of the round, another round later, given up, or
 * the same number again because the call was no attempt. See docs/api.md, "Campaigns", "Leads" and "Calls".
 */
import type { CallStatus, EndReason } from '@parley/contracts';
import { isLostAfterAnswer, pauseOfUnmadeAttempt } from '../shared/end-reason.rules.ts';
import { isCallable, type LeadNumber } from './dial-rule.rules.ts';

/** The finished call. */
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

/** `missed`: an attempt that failed. `not-made`: no attempt, because of a fault of ours or because it was stopped. */
export type DialResult =
  | { kind: 'reached' }
  | { kind: 'missed'; reason: string }
  | { kind: 'not-made'; reason: string; pauseMs: number };

/** What happens with the lead. */
export type LeadOutcome =
  | { do: 'complete' }
  | { do: 'give-up'; reason: string }
  /** Its owner has ended it in the meantime. */
  | { do: 'nothing' }
  /** Queues the lead again. */
  | { do: 'queue'; leadId: number; round: number; readyAt: Date; reason: string };

const AT_ONCE_MS = 0;

/** Values that a model, a tool or a form writes for "no". An empty value means that the call was not evaluated. */
const NO = [false, 0, 'false', 'no', '0'];

/** Whether a finished call counts as an attempt. */
export function isAttempt(call: Pick<FinishedDial, 'status' | 'endedReason'>): boolean {
  return unmadePauseMs(call) === null;
}

/** Calls with the statuses busy and no-answer are always attempts, whatever their end reason. */
function unmadePauseMs({ status, endedReason }: Pick<FinishedDial, 'status' | 'endedReason'>): number | null {
  return status === 'failed' ? pauseOfUnmadeAttempt(endedReason ?? 'failed') : null;
}

/** Whether the call reached the lead, missed it, or was no attempt. */
export function resultOf(call: FinishedDial, settings: OutcomeSettings): DialResult {
  if (call.status !== 'completed') {
    const reason = call.endedReason ?? call.status;
    const pauseMs = unmadePauseMs(call);
    return pauseMs === null ? { kind: 'missed', reason } : { kind: 'not-made', reason, pauseMs };
  }
  const reason = missedThough(call, settings);
  return reason === null ? { kind: 'reached' } : { kind: 'missed', reason };
}

/** Why a lead is called again although the call was answered; null: it is not. */
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

/** Names come from users: `constructor` must not match an inherited property. */
function ownValue(values: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The state of the lead after the call. */
export interface LeadSituation {
  result: DialResult;
  /** The lead, then its contacts in order. */
  numbers: readonly Pick<LeadNumber, 'leadId' | 'status' | 'isForbidden'>[];
  calledLeadId: number;
  round: number;
  endedAt: Date;
}

/** Decides what happens with the lead. The dial rule is applied again to each entry that this queues. */
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

/** The next callable contact after the number that was called; never the lead's own number. */
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
