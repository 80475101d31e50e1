/**
 * What the agent tells the outside: datagrams to send and things that happened. The driver takes them after every
 * input and performs them in order.
 */
import type { Destination } from '../message/destination.ts';
import type { StoredDialog } from '../dialog/dialog.ts';
import type { HeaderField } from '../message/message.ts';
import type { AgreedMedia } from '../media/offer-answer.ts';
import type { ReferOutcome } from './refer.ts';

/** Names a call towards its agent; never used twice by one agent. */
export type CallNumber = number;

/** How a call ended. */
export type CallEnd =
  | { by: 'response'; status: number } // outbound: the far end's final refusal
  | { by: 'no-response' } // outbound: nobody answered the INVITE at all
  | { by: 'transport' } // the message could not be sent
  | { by: 'cancel' } // outbound: we gave up before the answer
  | { by: 'unusable-answer' } // outbound: answered, but with no sound we can exchange
  | { by: 'remote-cancel' } // inbound: the caller gave up
  | { by: 'refusal'; status: number } // inbound: we refused
  | { by: 'no-ack' } // our answer was never acknowledged
  | { by: 'remote-bye' }
  | { by: 'local-bye' };

/** What happens within a call. */
export type CallEvent =
  | { type: 'ringing'; status: number } // 180 to 199; may repeat
  | { type: 'media'; agreed: AgreedMedia } // first agreement and every change; before `answered`
  | { type: 'answered'; dialog: StoredDialog } // 200 received, or our 200 acknowledged
  | { type: 'dialog-changed'; dialog: StoredDialog }
  | { type: 'key'; digit: string; durationMs: number } // a key sent as INFO
  | { type: 'referred'; outcome: ReferOutcome } // what came of asking the far end to call somebody else
  | { type: 'ended'; end: CallEnd }; // last, exactly once

/** What a call reports to. */
export interface CallOwner {
  onEvent(event: CallEvent): void;
  /** After the last event, once. */
  onEnd(): void;
}

/** A call that arrived. */
export interface IncomingCall {
  callId: string;
  /** URIs as written; the called number is usually in `requestUri`. */
  fromUri: string;
  fromName: string;
  toUri: string;
  requestUri: string;
  source: Destination;
  headers: readonly HeaderField[];
}

/** One thing for the driver to do. */
export type AgentAction =
  | { type: 'send'; bytes: Uint8Array; destination: Destination; reference: string | null }
  | { type: 'incoming'; call: CallNumber; incoming: IncomingCall }
  | { type: 'call'; call: CallNumber; event: CallEvent }
  | { type: 'dialog-ended'; id: number; status: number | null } // a stored dialog's BYE; null: no response
  | { type: 'fault'; error: unknown }; // a defect of ours, caught; the message at hand was dropped
