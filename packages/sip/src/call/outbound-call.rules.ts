/**
 * A call we make, from INVITE to its end.
 *
 * | state          | waits for                                             | left by timer                        |
 * |----------------|-------------------------------------------------------|--------------------------------------|
 * | calling        | any response                                          | the transaction's B (`failed`)       |
 * | proceeding     | the final response                                    | none: the caller's ring limit        |
 * | cancel-pending | a response: CANCEL may follow only a 1xx (section 9.1)| the transaction's B (`failed`)       |
 * | cancelling     | the final response, usually 487                       | `cancel-limit`, 64 T1                |
 * | confirmed      | BYE of either side                                    | none: the owner's silence limit      |
 * | ended          | late answers of forks, which get ACK and BYE          | the transaction's M                  |
 */

export type OutboundState =
  | 'calling'
  | 'proceeding'
  | 'cancel-pending'
  | 'cancelling'
  | 'confirmed'
  | 'ended';

export type OutboundEvent =
  | 'provisional'
  | 'challenged' // a 401 or 407 that can be answered
  | 'accepted' // a 2xx of a fork not heard of before
  | 'refused' // any other final response
  | 'failed' // no response, or the transport could not send
  | 'hang-up' // our wish
  | 'remote-bye'
  | 'unusable' // answered, but with no sound we can exchange
  | 'ack-missing' // our 2xx to a re-INVITE was never acknowledged: the far end is gone (section 14.2)
  | 'cancel-limit';

/** What to do; performed in order after the state has changed. */
export type OutboundEffect =
  | 'report-ringing'
  | 'answer-challenge'
  | 'send-cancel'
  | 'take-answer' // ACK, then media and `answered`
  | 'drop-answer' // ACK, then BYE
  | 'send-bye'
  | 'end-by-response'
  | 'end-by-failure'
  | 'end-by-cancel'
  | 'end-by-local-bye'
  | 'end-by-remote-bye'
  | 'end-by-unusable-answer'
  | 'end-by-no-ack'
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
    challenged: to('calling', 'answer-challenge'),
    accepted: to('confirmed', 'take-answer'),
    refused: to('ended', 'end-by-response'),
    failed: to('ended', 'end-by-failure'),
    'hang-up': to('cancel-pending'),
  },
  proceeding: {
    provisional: to('proceeding', 'report-ringing'),
    challenged: to('calling', 'answer-challenge'),
    accepted: to('confirmed', 'take-answer'),
    refused: to('ended', 'end-by-response'),
    failed: to('ended', 'end-by-failure'),
    'hang-up': to('cancelling', 'send-cancel'),
  },
  'cancel-pending': {
    provisional: to('cancelling', 'send-cancel'),
    challenged: to('ended', 'end-by-cancel'),
    accepted: to('ended', 'drop-answer', 'end-by-cancel'),
    refused: to('ended', 'end-by-cancel'),
    failed: to('ended', 'end-by-failure'),
  },
  cancelling: {
    challenged: to('ended', 'end-by-cancel'),
    accepted: to('ended', 'drop-answer', 'end-by-cancel'),
    refused: to('ended', 'end-by-cancel'),
    failed: to('ended', 'end-by-cancel'),
    'cancel-limit': to('ended', 'end-by-cancel', 'drop-transaction'),
  },
  confirmed: {
    accepted: to('confirmed', 'drop-answer'),
    'hang-up': to('ended', 'send-bye', 'end-by-local-bye'),
    'remote-bye': to('ended', 'end-by-remote-bye'),
    unusable: to('ended', 'send-bye', 'end-by-unusable-answer'),
    'ack-missing': to('ended', 'send-bye', 'end-by-no-ack'),
  },
  ended: { accepted: to('ended', 'drop-answer') },
};
