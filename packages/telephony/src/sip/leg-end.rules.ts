/**
 * How the end of a SIP call reads as the end of a leg (TELEPHONY section 7, "Status mapping").
 */
import type { CallEnd } from '@parley/sip';
import type { LegEnd } from '../call-leg.ts';

/** Why we ended a leg ourselves; null: whoever uses it wished so. */
export type OwnReason = 'ring-limit' | 'no-sound' | null;

/** Final refusals that have a cause of their own; every other one is `rejected`. */
const CAUSE_OF_STATUS: Readonly<Record<number, LegEnd['cause']>> = {
  408: 'no-answer',
  480: 'no-answer',
  486: 'busy',
  503: 'unreachable',
  600: 'busy',
};

/** Ends that read the same whatever we wished. */
const PLAIN_ENDS: Readonly<Record<Exclude<CallEnd['by'], 'response' | 'refusal'>, LegEnd>> = {
  'no-response': { cause: 'unreachable', detail: 'Nobody answered the INVITE' },
  transport: { cause: 'unreachable', detail: 'The message could not be sent' },
  cancel: { cause: 'cancelled', detail: 'We gave up before the answer' },
  'unusable-answer': { cause: 'rejected', detail: 'The far end offered no sound we can exchange' },
  'remote-cancel': { cause: 'cancelled', sipStatus: 487, detail: 'The caller gave up before the answer' },
  'no-ack': { cause: 'line-lost', detail: 'Our answer was never acknowledged' },
  'remote-bye': { cause: 'remote-hang-up', detail: 'The far end hung up' },
  'local-bye': { cause: 'local-hang-up', detail: 'We hung up' },
};

/** Translates; `reason` is ours where we gave the call up for a limit. */
export function toLegEnd(end: CallEnd, reason: OwnReason): LegEnd {
  if (end.by === 'response') return ofResponse(end.status);
  if (end.by === 'refusal') return ofRefusal(end.status, reason);
  if (end.by === 'cancel' && reason === 'ring-limit') {
    return { cause: 'no-answer', detail: 'It rang until our limit' };
  }
  if (end.by === 'local-bye' && reason === 'no-sound') {
    return { cause: 'line-lost', detail: 'No sound arrived within the limit' };
  }
  return PLAIN_ENDS[end.by];
}

function ofResponse(sipStatus: number): LegEnd {
  const cause = CAUSE_OF_STATUS[sipStatus] ?? 'rejected';
  return { cause, sipStatus, detail: `The far end answered ${sipStatus}` };
}

function ofRefusal(sipStatus: number, reason: OwnReason): LegEnd {
  if (reason === 'ring-limit') return { cause: 'no-answer', sipStatus, detail: 'Nobody took the call' };
  return { cause: 'rejected', sipStatus, detail: `We refused the call with ${sipStatus}` };
}
