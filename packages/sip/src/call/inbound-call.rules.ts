/**
 * The state machine of an inbound call, from INVITE to its end.
 *
 * | state     | waits for                                        | left by timer                               |
 * |-----------|--------------------------------------------------|---------------------------------------------|
 * | arrived   | our decision, or CANCEL                          | none: the callee's ring limit               |
 * | ringing   | the same, after our 180                          | none: the callee's ring limit               |
 * | answered  | the ACK of our 200, which is repeated            | `ack-missing`, 64 T1                        |
 * | closing   | the ACK, which must precede our BYE              | `ack-missing`, 64 T1                        |
 * | confirmed | BYE of either side                               | `expired`, if the session has a timer       |
 * | ended     | nothing                                          |                                             |
 *
 * `closing` follows RFC 3261 section 15: "the callee's UA MUST NOT send a BYE on a confirmed dialog until it has received
 * an ACK for its 2xx response or until the server transaction times out."
 */

export type InboundState = 'arrived' | 'ringing' | 'answered' | 'closing' | 'confirmed' | 'ended';

export type InboundEvent =
  | 'ring'
  | 'answer'
  | 'refuse'
  | 'remote-cancel'
  | 'acknowledged'
  | 'unusable' // acknowledged, but the SDP answer in the ACK has no codec that we support
  | 'ack-missing'
  | 'hang-up'
  | 'remote-bye'
  | 'expired' // the session was not refreshed in time (RFC 4028)
  | 'abandoned' // another process goes on with the call
  | 'failed'; // the transport could not send

/** Actions of a step, performed in order after the state has changed. */
export type InboundEffect =
  | 'send-ringing'
  | 'send-answer'
  | 'send-refusal'
  | 'send-terminated' // 487
  | 'report-answered'
  | 'send-bye'
  | 'end-by-refusal'
  | 'end-by-remote-cancel'
  | 'end-by-no-ack'
  | 'end-by-unusable-answer'
  | 'end-by-local-bye'
  | 'end-by-remote-bye'
  | 'end-by-expiry'
  | 'end-by-take-over' // without a BYE
  | 'end-by-transport';

export interface InboundStep {
  next: InboundState;
  effects: readonly InboundEffect[];
}

const to = (next: InboundState, ...effects: InboundEffect[]): InboundStep => ({ next, effects });

const UNANSWERED: Partial<Record<InboundEvent, InboundStep>> = {
  answer: to('answered', 'send-answer'),
  refuse: to('ended', 'send-refusal', 'end-by-refusal'),
  'hang-up': to('ended', 'send-refusal', 'end-by-refusal'),
  'remote-cancel': to('ended', 'send-terminated', 'end-by-remote-cancel'),
  'remote-bye': to('ended', 'send-terminated', 'end-by-remote-bye'),
  failed: to('ended', 'end-by-transport'),
};

/** Missing entries are ignored: late and repeated events are normal. */
export const INBOUND_TABLE: Readonly<Record<InboundState, Partial<Record<InboundEvent, InboundStep>>>> = {
  arrived: { ring: to('ringing', 'send-ringing'), ...UNANSWERED },
  ringing: { ...UNANSWERED },
  answered: {
    // No SDP answer could be made for the offer; no 200 has been sent yet.
    refuse: to('ended', 'send-refusal', 'end-by-refusal'),
    acknowledged: to('confirmed', 'report-answered'),
    unusable: to('ended', 'send-bye', 'end-by-unusable-answer'),
    'ack-missing': to('ended', 'send-bye', 'end-by-no-ack'),
    'hang-up': to('closing'),
    // The BYE overtook the ACK. A caller that sends BYE has received our 200, so the call was answered.
    'remote-bye': to('ended', 'report-answered', 'end-by-remote-bye'),
  },
  closing: {
    acknowledged: to('ended', 'send-bye', 'end-by-local-bye'),
    unusable: to('ended', 'send-bye', 'end-by-local-bye'),
    'ack-missing': to('ended', 'send-bye', 'end-by-no-ack'),
    'remote-bye': to('ended', 'end-by-remote-bye'),
  },
  confirmed: {
    'hang-up': to('ended', 'send-bye', 'end-by-local-bye'),
    'remote-bye': to('ended', 'end-by-remote-bye'),
    expired: to('ended', 'send-bye', 'end-by-expiry'),
    abandoned: to('ended', 'end-by-take-over'),
    // RFC 3261 section 13.3.1.4: without an ACK for 64*T1 seconds "the session SHOULD be terminated".
    'ack-missing': to('ended', 'send-bye', 'end-by-no-ack'),
  },
  ended: {},
};
