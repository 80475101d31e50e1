/**
 * Maps the end of a SIP call to the end of a leg.
 */
import type { CallEnd } from '@parley/sip';
import type { LegEnd } from '../call-leg.ts';

/** The limit for which we ended a leg; null: the application ended it. */
export type OwnReason = 'ring-limit' | 'no-sound' | null;

/** Final responses with a specific cause; every other one is `rejected`. */
const CAUSE_OF_STATUS: Readonly<Record<number, LegEnd['cause']>> = {
  408: 'no-answer',
  480: 'no-answer',
  486: 'busy',
  503: 'unreachable',
  600: 'busy',
};

/** Ends that do not depend on our reason. */
const PLAIN_ENDS: Readonly<Record<Exclude<CallEnd['by'], 'response' | 'refusal'>, LegEnd>> = {
  'no-response': { cause: 'unreachable', detail: 'The INVITE got no response' },
  transport: { cause: 'unreachable', detail: 'The message could not be sent' },
  cancel: { cause: 'cancelled', detail: 'The call was cancelled before the answer' },
  'late-answer': {
    cause: 'answered-late',
    detail: 'The far end answered after the call had been given up; it got BYE',
  },
  'unusable-answer': { cause: 'rejected', detail: 'The far end supports none of our codecs' },
  'remote-cancel': { cause: 'cancelled', sipStatus: 487, detail: 'The caller hung up before the answer' },
  'no-ack': { cause: 'line-lost', detail: 'Our answer was never acknowledged' },
  'remote-bye': { cause: 'remote-hang-up', detail: 'The far end hung up' },
  'local-bye': { cause: 'local-hang-up', detail: 'We hung up' },
};

/** The end of the leg; `reason` is the limit for which we ended the call, if any. */
export function toLegEnd(end: CallEnd, reason: OwnReason): LegEnd {
  if (end.by === 'response') return ofResponse(end.status);
  if (end.by === 'refusal') return ofRefusal(end.status, reason);
  if (end.by === 'cancel' && reason === 'ring-limit') {
    return { cause: 'no-answer', detail: 'The call was not answered within the ring limit' };
  }
  if (end.by === 'local-bye' && reason === 'no-sound') {
    return { cause: 'line-lost', detail: 'No audio arrived within the limit' };
  }
  return PLAIN_ENDS[end.by];
}

function ofResponse(sipStatus: number): LegEnd {
  const cause = CAUSE_OF_STATUS[sipStatus] ?? 'rejected';
  return { cause, sipStatus, detail: `The far end answered ${sipStatus}` };
}

function ofRefusal(sipStatus: number, reason: OwnReason): LegEnd {
  if (reason === 'ring-limit')
    return { cause: 'no-answer', sipStatus, detail: 'The call was not answered within the ring limit' };
  return { cause: 'rejected', sipStatus, detail: `We refused the call with ${sipStatus}` };
}
