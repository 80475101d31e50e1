/**
 * The output of the agent: messages to send and events to report. The driver takes them after every input and performs
 * them in order.
 */
import type { Destination } from '../message/destination.ts';
import type { StoredDialog } from '../dialog/dialog.ts';
import type { HeaderField, SipResponse } from '../message/message.ts';
import type { AgreedMedia } from '../media/offer-answer.ts';
import type { QueryOutcome } from '../registration/query.ts';
import type { RegisterOutcome } from '../registration/register-outcome.ts';
import type { RedirectRefusal, RedirectTarget } from './redirect.ts';
import type { ReferOutcome } from './refer.ts';
import type { ReferTarget } from './refer-target.ts';

/** Identifies a call within its agent; an agent never reuses a number. */
export type CallNumber = number;

/** How a call ended. */
export type CallEnd =
  | { by: 'response'; status: number } // outbound: the far end's final refusal
  | { by: 'no-response' } // outbound: no response to the INVITE arrived
  | { by: 'transport' } // the message could not be sent
  | { by: 'cancel' } // outbound: we cancelled before the answer
  | { by: 'late-answer' } // outbound: the far end answered after we had given up; it got ACK and BYE
  | { by: 'unusable-answer' } // answered, but without a codec that both sides support
  | { by: 'remote-cancel' } // inbound: the caller cancelled
  | { by: 'refusal'; status: number } // inbound: we refused
  | { by: 'session-expired' } // the session was not refreshed in time (RFC 4028)
  | { by: 'redirect-refused'; status: number; why: RedirectRefusal } // outbound: a 3xx that was not followed
  | { by: 'taken-over' } // another process goes on with the call; nothing was sent
  | { by: 'not-resumed'; status: number | null } // resumed: the far end has refused our re-INVITE, or did not answer
  | { by: 'no-ack' } // our answer was never acknowledged
  | { by: 'remote-bye' }
  | { by: 'local-bye' };

/** What happens within a call. */
export type CallEvent =
  | { type: 'ringing'; status: number; dialog: StoredDialog | null } // 180 to 199, with the early dialog; may repeat
  | { type: 'media'; agreed: AgreedMedia } // first agreement and every change; before `answered`
  | { type: 'answered'; dialog: StoredDialog } // 200 received, or our 200 acknowledged
  | { type: 'redirected'; targets: readonly RedirectTarget[] } // a 3xx; waits for `redirect` or `refuseRedirect`
  | { type: 'failed-over'; from: Destination; to: Destination } // the INVITE went to the next server of the trunk
  | { type: 'dialog-changed'; dialog: StoredDialog }
  | { type: 'key'; digit: string; durationMs: number } // a DTMF key sent as INFO
  | { type: 'key-sent'; status: number | null } // the final status of our INFO; null: no response, or not in a call
  | { type: 'referred'; outcome: ReferOutcome } // the outcome of a transfer (REFER)
  | { type: 'refer-received'; target: ReferTarget } // of the far end; waits for `answerRefer`
  | { type: 'ended'; end: CallEnd }; // last, exactly once

/** Receives what a call reports. */
export interface CallOwner {
  onEvent(event: CallEvent): void;
  /** After the last event, once. */
  onEnd(): void;
}

/** Receives the reports of an outbound call. */
export interface OutboundCallOwner extends CallOwner {
  /** A server has answered 503. */
  onUnavailable(server: Destination, response: SipResponse): void;
}

/** An INVITE that opened an inbound call. */
export interface IncomingCall {
  callId: string;
  /** Empty when it is missing (RFC 2543). */
  fromTag: string;
  /** The CSeq number. */
  sequence: number;
  /** URIs as written; the called number is usually in `requestUri`. */
  fromUri: string;
  fromName: string;
  toUri: string;
  requestUri: string;
  source: Destination;
  headers: readonly HeaderField[];
  /** True if `ring` has to be given the media of our offer, which must be in 180 (RFC 3262 section 5). */
  mustOfferInRinging: boolean;
  /** The call that it is to replace (RFC 3891); the application decides whether its sender may. Null: none. */
  replaces: CallNumber | null;
}

/** A 2xx to an INVITE of an earlier process at this address: a call that the far end answered and that no process here holds. */
export interface StrayAnswer {
  dialog: StoredDialog;
  source: Destination;
}

/** One action for the driver. */
export type AgentAction =
  | { type: 'send'; bytes: Uint8Array; destination: Destination; reference: string | null }
  | { type: 'incoming'; call: CallNumber; incoming: IncomingCall }
  | { type: 'call'; call: CallNumber; event: CallEvent }
  | { type: 'stray-answer'; answer: StrayAnswer }
  | { type: 'dialog-ended'; id: number; status: number | null } // a stored dialog's BYE; null: no response
  | { type: 'register-ended'; id: number; outcome: RegisterOutcome }
  | { type: 'query-ended'; id: number; outcome: QueryOutcome }
  | { type: 'fault'; error: unknown }; // an internal error; the message that caused it was dropped
