/**
 * Outbound calls that a carrier dials: one request rings a phone. Neither Twilio nor Telnyx has a key that would make a repetition
 * harmless, so that a request without an answer is never repeated.
 */
import { carrierCallStates } from '@parley/contracts';
import { CarrierError } from './carrier.ts';

/** One of {@link carrierCallStates}. */
export type CarrierCallState = (typeof carrierCallStates)[number];

/** A call that is to be placed, in E.164. */
interface CallRequest {
  from: string;
  to: string;
  /** What the carrier does once the call is answered: TwiML or TeXML. */
  markup: string;
  /** Where the carrier reports each state. */
  statusUrl: string;
  /** How long the phone may ring; Twilio may add five seconds. */
  ringLimitSeconds: number;
}

/** A call that the carrier has accepted. */
export interface AcceptedCall {
  /** Null: the answer does not name the call. */
  callSid: string | null;
  /** How long the carrier expects the call to wait until it is dialed, milliseconds. */
  queueMs: number;
}

/** The outbound calls of one account. Every function throws {@link CarrierError}. */
export interface CarrierCalls {
  /** After `uncertain` the phone may ring, unless `isUnsent`. */
  place(request: CallRequest): Promise<AcceptedCall>;
  /** @returns null for a state that is not known here */
  read(callSid: string): Promise<CarrierCallState | null>;
  /** Ends a call in any state. Harmless for one that is over. */
  end(callSid: string): Promise<void>;
}

const FINAL: readonly CarrierCallState[] = carrierCallStates.slice(carrierCallStates.indexOf('completed'));

/** Whether a call in that state is over. */
export function isFinalState(state: CarrierCallState): boolean {
  return FINAL.includes(state);
}

/** @returns null for what is no state */
export function readCallState(value: unknown): CarrierCallState | null {
  return carrierCallStates.find((state) => state === value) ?? null;
}

/** The result of a request to end a call, which a carrier refuses for a call that is over. @throws CarrierError */
export async function endedOrOver(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    const isOver = error instanceof CarrierError && ['rejected', 'missing'].includes(error.kind);
    if (!isOver) throw error;
  }
}
