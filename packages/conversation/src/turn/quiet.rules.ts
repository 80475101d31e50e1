/**
 * What to do while neither side speaks: check in, say goodbye, or end the call. Two periods are counted from the end of
 * playout. The first restarts after each check-in and triggers the next one. The second counts the caller's silence and is
 * not restarted by check-ins: if `max_silence_duration` is below `re_engagement_interval`, there are no check-ins.
 */

/** The maximum of consecutive check-ins without a word from the caller. */
const MAX_CHECK_INS = 3;
/** How much longer both periods are after the caller has asked the assistant to wait: people fetch a diary, or open a door. */
const ASKED_TO_WAIT_MS = 60_000;
/** How long before the end of the call the model is asked to say goodbye. */
const WRAP_UP_MS = 10_000;

/** Limits of a call, milliseconds. */
export interface QuietPolicy {
  reEngagementMs: number;
  maxSilenceMs: number;
  /** From the answer. */
  maxCallMs: number;
}

/** Duration of the silence on both sides. */
export interface Quiet {
  /** The beginning of the silence on both sides. */
  sinceMs: number;
  /** Since when the caller has been silent although the assistant had finished speaking. */
  callerSilentSinceMs: number;
  /** Consecutive check-ins that the caller has not answered. */
  checkIns: number;
  /** The caller's last turn asked the assistant to wait. */
  hasAskedToWait: boolean;
  /** The caller speaks first and has not spoken yet; the initial message is still to be said. */
  isGreetingDue: boolean;
  /** The model was asked to end the call. */
  isWrapUpRequested: boolean;
}

/** What to do about the silence. */
export type QuietDecision = 'wait' | 'greet' | 'check-in' | 'wrap-up' | 'say-goodbye';

/** Called for every frame while both sides are silent, nothing is being generated and no tool runs. */
export function decideWhileQuiet(quiet: Quiet, policy: QuietPolicy, nowMs: number): QuietDecision {
  const longerMs = quiet.hasAskedToWait ? ASKED_TO_WAIT_MS : 0;
  if (nowMs - quiet.callerSilentSinceMs >= policy.maxSilenceMs + longerMs) return 'say-goodbye';
  if (isTimeToWrapUp(policy, nowMs)) return quiet.isWrapUpRequested ? 'wait' : 'wrap-up';
  if (nowMs - quiet.sinceMs < policy.reEngagementMs + (quiet.checkIns === 0 ? longerMs : 0)) return 'wait';
  if (quiet.isGreetingDue) return 'greet';
  return quiet.checkIns < MAX_CHECK_INS ? 'check-in' : 'wait';
}

/** True from 10 s before the end of the call; in a very short call, during its second half. */
export function isTimeToWrapUp({ maxCallMs }: QuietPolicy, nowMs: number): boolean {
  return nowMs >= Math.max(maxCallMs - WRAP_UP_MS, maxCallMs / 2);
}
