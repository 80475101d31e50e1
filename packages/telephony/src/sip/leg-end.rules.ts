/**
 * Maps the end of a SIP call to the end of a leg.
 */
import type { CallEnd, RedirectRefusal } from '@parley/sip';
import type { LegEnd } from '../call-leg.ts';
import { causeOfStatus } from '../cause-of-status.rules.ts';

/** The limit for which we ended a leg; null: the application ended it. */
export type OwnReason = 'ring-limit' | 'no-sound' | null;

/** Ends that do not depend on our reason. */
const PLAIN_ENDS: Readonly<
  Record<Exclude<CallEnd['by'], 'response' | 'refusal' | 'redirect-refused' | 'not-resumed'>, LegEnd>
> = {
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
  'taken-over': { cause: 'line-lost', detail: 'Another process goes on with the call' },
  'session-expired': { cause: 'line-lost', detail: 'The session was not refreshed in time' },
  'remote-bye': { cause: 'remote-hang-up', detail: 'The far end hung up' },
  'local-bye': { cause: 'local-hang-up', detail: 'We hung up' },
};

const REDIRECT_DETAILS: Readonly<Record<RedirectRefusal, string>> = {
  'no-usable-contact': 'The far end redirected the call without a usable Contact',
  'another-number': 'The far end redirected the call to another number, which is not called',
  loop: 'The far end redirected the call in a loop',
  'too-many': 'The far end redirected the call too often',
  'unusable-host':
    'The far end redirected the call to a host without an address, or with one that is not allowed',
};

/** The end of the leg; `reason` is the limit for which we ended the call, if any. */
export function toLegEnd(end: CallEnd, reason: OwnReason): LegEnd {
  if (end.by === 'response') return ofResponse(end.status);
  if (end.by === 'redirect-refused') {
    return { cause: 'rejected', sipStatus: end.status, detail: REDIRECT_DETAILS[end.why] };
  }
  if (end.by === 'not-resumed') return ofResumption(end.status);
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
  return {
    cause: causeOfStatus(sipStatus) ?? 'rejected',
    sipStatus,
    detail: `The far end answered ${sipStatus}`,
  };
}

function ofResumption(sipStatus: number | null): LegEnd {
  return sipStatus === null
    ? { cause: 'line-lost', detail: 'The far end did not answer when another process went on with the call' }
    : { cause: 'line-lost', sipStatus, detail: `The far end refused another process with ${sipStatus}` };
}

function ofRefusal(sipStatus: number, reason: OwnReason): LegEnd {
  if (reason === 'ring-limit')
    return { cause: 'no-answer', sipStatus, detail: 'The call was not answered within the ring limit' };
  return { cause: 'rejected', sipStatus, detail: `We refused the call with ${sipStatus}` };
}

/** What the far end is told about the call to which it has referred us (RFC 3515 section 2.4.5). */
export function statusOfReferral(end: CallEnd, isRingLimit: boolean): number {
  if (end.by === 'response') return end.status;
  if (isRingLimit || end.by === 'no-response') return 408;
  if (end.by === 'cancel' || end.by === 'late-answer') return 487;
  return end.by === 'unusable-answer' ? 488 : 503;
}
