/**
 * THE rule for every dial of a campaign: whether a lead is called now, which of its numbers, when at the earliest, or
 * never, and why. The claim asks it, the last check before the INVITE asks it again, and so does whoever wants to know
 * why a lead is or is not being called. Truth: API-DECISIONS.md, "Campaigns" and "Leads".
 *
 * A round calls the lead's own number, then its contacts in order, until one is reached. A place in the queue names the
 * round and whose turn it is in it; numbers that may not be called are passed over.
 */
import { windowAt, type CallingWindow } from './calling-window.rules.ts';

/** The settings of a campaign that decide. */
export interface DialCampaign extends CallingWindow {
  status: 'draft' | 'in-progress' | 'stopped' | 'completed';
  isDeleted: boolean;
  /** Rounds after the first. */
  maxRetries: number;
  retryIntervalSeconds: number;
}

/** One number of a lead: the lead itself, or a secondary contact. */
export interface DialNumber {
  leadId: number;
  phoneNumber: string;
  status: 'created' | 'completed' | 'reached-max-retries';
  /** On its owner's do-not-call list. */
  isForbidden: boolean;
  /** In another call of its owner at this moment. */
  isInCall: boolean;
}

/** What is asked. */
export interface DialQuestion {
  campaign: DialCampaign;
  /** The lead, then its contacts in order. Empty when it was deleted. */
  numbers: readonly DialNumber[];
  /** The number whose turn it is. */
  turnLeadId: number;
  /** Counts from 1. */
  round: number;
  /** Calls that the campaign may still begin; 0 at its `max_calls_in_parallel`. */
  freeCalls: number;
  now: Date;
}

/** Why not now. */
export type WaitReason =
  | 'campaign_not_started'
  | 'campaign_stopped'
  | 'campaign_completed'
  | 'window_closed'
  | 'number_in_call'
  | 'calls_in_parallel'
  | 'round_over';
/** Why not at all. */
export type NeverReason =
  | 'campaign_deleted'
  | 'lead_deleted'
  | 'lead_done'
  | 'max_retries'
  | 'do_not_call'
  | 'no_allowed_time';

/** The answer. `until` is null where no clock tells: somebody has to start, or a call has to end. */
export type DialVerdict =
  | { do: 'dial'; number: DialNumber }
  | { do: 'wait'; until: Date | null; reason: WaitReason; round: number; turnLeadId: number }
  | { do: 'never'; reason: NeverReason };

/** How soon a number that is in another call is looked at again, milliseconds. */
export const NUMBER_IN_CALL_PAUSE_MS = 5_000;

/** Decides. What ends the lead comes first, then what holds up the campaign, then what holds up this number. */
export function decideDial(question: DialQuestion): DialVerdict {
  return neverOf(question) ?? campaignWaitOf(question) ?? decideNumber(question);
}

function neverOf({ campaign, numbers, round }: DialQuestion): DialVerdict | null {
  const never = (reason: NeverReason): DialVerdict => ({ do: 'never', reason });
  const [main] = numbers;
  if (campaign.isDeleted) return never('campaign_deleted');
  if (!main) return never('lead_deleted');
  if (main.status !== 'created') return never('lead_done');
  if (round > 1 + campaign.maxRetries) return never('max_retries');
  const callable = numbers.filter(({ status }) => status === 'created');
  return callable.every(({ isForbidden }) => isForbidden) ? never('do_not_call') : null;
}

const STATUS_WAITS: Record<DialCampaign['status'], WaitReason | null> = {
  draft: 'campaign_not_started',
  'in-progress': null,
  stopped: 'campaign_stopped',
  completed: 'campaign_completed',
};

function campaignWaitOf(question: DialQuestion): DialVerdict | null {
  const { campaign, freeCalls, now } = question;
  const statusReason = STATUS_WAITS[campaign.status];
  if (statusReason) return wait(question, null, statusReason);
  const window = windowAt(campaign, now);
  if (!window.isOpen) {
    return window.opensAt
      ? wait(question, window.opensAt, 'window_closed')
      : { do: 'never', reason: 'no_allowed_time' };
  }
  return freeCalls > 0 ? null : wait(question, null, 'calls_in_parallel');
}

function decideNumber(question: DialQuestion): DialVerdict {
  const { campaign, numbers, turnLeadId, now } = question;
  // A turn that has vanished with its contact falls back to the lead: the round begins again rather than being lost.
  const turn = Math.max(
    0,
    numbers.findIndex(({ leadId }) => leadId === turnLeadId),
  );
  const number = numbers.slice(turn).find(isCallable);
  if (!number) {
    const until = new Date(now.getTime() + campaign.retryIntervalSeconds * 1000);
    const next = { ...question, round: question.round + 1, turnLeadId: numbers[0]?.leadId ?? turnLeadId };
    return next.round > 1 + campaign.maxRetries
      ? { do: 'never', reason: 'max_retries' }
      : wait(next, until, 'round_over');
  }
  if (!number.isInCall) return { do: 'dial', number };
  return wait(question, new Date(now.getTime() + NUMBER_IN_CALL_PAUSE_MS), 'number_in_call');
}

/** Whether a number takes part in its lead's rounds. */
export function isCallable({ status, isForbidden }: Pick<DialNumber, 'status' | 'isForbidden'>): boolean {
  return status === 'created' && !isForbidden;
}

function wait(
  { round, turnLeadId }: Pick<DialQuestion, 'round' | 'turnLeadId'>,
  until: Date | null,
  reason: WaitReason,
): DialVerdict {
  return { do: 'wait', until, reason, round, turnLeadId };
}
