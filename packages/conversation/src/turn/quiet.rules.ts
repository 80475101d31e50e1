/**
 * What to do while nobody speaks: check in, say goodbye, bring the call to its end. Two clocks run from the end of
 * playout. The first starts anew after each check-in and asks for the next one. The second counts the caller's silence
 * and is not stopped by check-ins: where `max_silence_duration` is below `re_engagement_interval`, none is ever made.
 */

/** After so many check-ins without a word from the caller there is no further one. */
const MAX_CHECK_INS = 3;
/** So long before the hard end the model is told to close. */
const WRAP_UP_MS = 10_000;

/** Limits of a call, milliseconds. */
export interface QuietPolicy {
  reEngagementMs: number;
  maxSilenceMs: number;
  /** From the answer. */
  maxCallMs: number;
}

/** How long nobody has spoken. */
export interface Quiet {
  /** Since when nobody speaks. */
  sinceMs: number;
  /** Since when the caller has been silent although the assistant had finished speaking. */
  callerSilentSinceMs: number;
  /** Consecutive check-ins that the caller has not answered. */
  checkIns: number;
  /** The caller speaks first and has not spoken yet; the initial message is still to be said. */
  isGreetingDue: boolean;
  /** The model was asked to end the call. */
  isWrapUpRequested: boolean;
}

/** What the silence calls for. */
export type QuietDecision = 'wait' | 'greet' | 'check-in' | 'wrap-up' | 'say-goodbye';

/** Asked every 20 ms while both are silent, nothing is generated and no tool runs. */
export function decideWhileQuiet(quiet: Quiet, policy: QuietPolicy, nowMs: number): QuietDecision {
  if (nowMs - quiet.callerSilentSinceMs >= policy.maxSilenceMs) return 'say-goodbye';
  if (isTimeToWrapUp(policy, nowMs)) return quiet.isWrapUpRequested ? 'wait' : 'wrap-up';
  if (nowMs - quiet.sinceMs < policy.reEngagementMs) return 'wait';
  if (quiet.isGreetingDue) return 'greet';
  return quiet.checkIns < MAX_CHECK_INS ? 'check-in' : 'wait';
}

/** From 10 s before the end of the call on; a very short call is wrapped up in its second half. */
export function isTimeToWrapUp({ maxCallMs }: QuietPolicy, nowMs: number): boolean {
  return nowMs >= Math.max(maxCallMs - WRAP_UP_MS, maxCallMs / 2);
}
