/**
 * The state machine of an outbound call, from INVITE to its end.
 *
 * | state          | waits for                                             | left by timer                        |
 * |----------------|-------------------------------------------------------|--------------------------------------|
 * | calling        | any response                                          | the transaction's B (`failed`)       |
 * | proceeding     | the final response                                    | none: the caller's ring limit        |
 * | cancel-pending | a provisional response, which must precede our CANCEL | the transaction's B (`failed`)       |
 * | redirected     | the application's decision about a redirect           | none: the caller's ring limit        |
 * | cancelling     | the final response, usually 487                       | `cancel-limit`, 64 T1                |
 * | confirmed      | BYE of either side                                    | `expired`, if the session has a timer |
 * | ended          | late answers of forks, which get ACK and BYE          | the transaction's M                  |
 *
 * `cancel-pending` follows RFC 3261 section 9.1: "If no provisional response has been received, the CANCEL request MUST
 * NOT be sent; rather, the client MUST wait for the arrival of a provisional response before sending the request."
 */

export type OutboundState =
  | 'calling'
  | 'proceeding'
  | 'redirected'
  | 'cancel-pending'
  | 'cancelling'
  | 'confirmed'
  | 'ended';

export type OutboundEvent =
  | 'provisional'
  | 'retryable' // a 401, 407 or 422 after which the INVITE is sent again
  | 'unavailable' // the server has certainly not taken the call, and there is another one
  | 'redirected' // a 3xx that names usable targets
  | 'redirect-chosen' // the application has chosen one of them
  | 'redirect-refused'
  | 'accepted' // the first 2xx of a fork
  | 'refused' // any other final response
  | 'failed' // no response, or the transport could not send
  | 'hang-up' // requested by the application
  | 'remote-bye'
  | 'expired' // the session was not refreshed in time (RFC 4028)
  | 'unusable' // answered, but without a codec that we support
  | 'ack-missing' // our 2xx to a re-INVITE was never acknowledged (section 13.3.1.4)
  | 'abandoned' // another process goes on with the call
  | 'cancel-limit';

/** Actions of a step, performed in order after the state has changed. */
export type OutboundEffect =
  | 'report-ringing'
  | 'send-again'
  | 'fail-over' // send the INVITE to the next server
  | 'report-redirect'
  | 'send-cancel'
  | 'take-answer' // ACK, then media and `answered`
  | 'drop-answer' // ACK, then BYE
  | 'send-bye'
  | 'end-by-response'
  | 'end-by-redirect'
  | 'end-by-failure'
  | 'end-by-cancel'
  | 'end-by-late-answer'
  | 'end-by-local-bye'
  | 'end-by-remote-bye'
  | 'end-by-expiry'
  | 'end-by-unusable-answer'
  | 'end-by-no-ack'
  | 'end-by-take-over' // without a BYE
  | 'drop-transaction';

export interface OutboundStep {
  next: OutboundState;
  effects: readonly OutboundEffect[];
}

const to = (next: OutboundState, ...effects: OutboundEffect[]): OutboundStep => ({ next, effects });

/** Missing entries are ignored: late and repeated events are normal. */
export const OUTBOUND_TABLE: Readonly<Record<OutboundState, Partial<Record<OutboundEvent, OutboundStep>>>> = {
  calling: {
    provisional: to('proceeding', 'report-ringing'),
    retryable: to('calling', 'send-again'),
    unavailable: to('calling', 'fail-over'),
    redirected: to('redirected', 'report-redirect'),
    'redirect-refused': to('ended', 'end-by-redirect'),
    accepted: to('confirmed', 'take-answer'),
    refused: to('ended', 'end-by-response'),
    failed: to('ended', 'end-by-failure'),
    'hang-up': to('cancel-pending'),
  },
  proceeding: {
    provisional: to('proceeding', 'report-ringing'),
    retryable: to('calling', 'send-again'),
    unavailable: to('calling', 'fail-over'),
    redirected: to('redirected', 'report-redirect'),
    'redirect-refused': to('ended', 'end-by-redirect'),
    accepted: to('confirmed', 'take-answer'),
    refused: to('ended', 'end-by-response'),
    failed: to('ended', 'end-by-failure'),
    'hang-up': to('cancelling', 'send-cancel'),
  },
  redirected: {
    'redirect-chosen': to('calling', 'send-again'),
    'redirect-refused': to('ended', 'end-by-redirect'),
    'hang-up': to('ended', 'end-by-cancel'),
  },
  'cancel-pending': {
    provisional: to('cancelling', 'send-cancel'),
    retryable: to('ended', 'end-by-cancel'),
    unavailable: to('ended', 'end-by-cancel'),
    redirected: to('ended', 'end-by-cancel'),
    'redirect-refused': to('ended', 'end-by-cancel'),
    accepted: to('ended', 'drop-answer', 'end-by-late-answer'),
    refused: to('ended', 'end-by-cancel'),
    failed: to('ended', 'end-by-failure'),
  },
  cancelling: {
    retryable: to('ended', 'end-by-cancel'),
    unavailable: to('ended', 'end-by-cancel'),
    redirected: to('ended', 'end-by-cancel'),
    'redirect-refused': to('ended', 'end-by-cancel'),
    accepted: to('ended', 'drop-answer', 'end-by-late-answer'),
    refused: to('ended', 'end-by-cancel'),
    failed: to('ended', 'end-by-cancel'),
    'cancel-limit': to('ended', 'end-by-cancel', 'drop-transaction'),
  },
  confirmed: {
    accepted: to('confirmed', 'drop-answer'),
    'hang-up': to('ended', 'send-bye', 'end-by-local-bye'),
    'remote-bye': to('ended', 'end-by-remote-bye'),
    unusable: to('ended', 'send-bye', 'end-by-unusable-answer'),
    expired: to('ended', 'send-bye', 'end-by-expiry'),
    'ack-missing': to('ended', 'send-bye', 'end-by-no-ack'),
    abandoned: to('ended', 'end-by-take-over'),
  },
  ended: { accepted: to('ended', 'drop-answer') },
};
