/**
 * Outbound calls of Twilio's Programmable Voice. Twilio rings a phone when it receives a request, and offers no key by which a
 * repetition would be recognised, so that {@link placeCall} must never be sent twice for an attempt. Nothing in the list of calls
 * names the request that made one either; Twilio's own requests about a call do, by their address.
 *
 * @see https://www.twilio.com/docs/voice/api/call-resource
 * @see https://www.twilio.com/docs/api/errors/20500
 */
import { carrierCallStates } from '@parley/contracts';
import { CarrierError } from './carrier.ts';
import { amountOf, textOf } from './read-answer.ts';
import { sidOf, type TwilioAccess } from './twilio-access.ts';

/** One of {@link carrierCallStates}. */
export type CarrierCallState = (typeof carrierCallStates)[number];

/** A call that is to be placed, in E.164. */
export interface CallRequest {
  from: string;
  to: string;
  /** What Twilio does once the call is answered. */
  twiml: string;
  /** Where Twilio reports each state. */
  statusUrl: string;
  /** How long the phone may ring; Twilio may add five seconds. */
  ringLimitSeconds: number;
}

/** A call that Twilio has accepted. */
export interface AcceptedCall {
  callSid: string;
  /** How long Twilio expects the call to wait until it is dialed, because of the account's calls per second, milliseconds. */
  queueMs: number;
}

/** The longest time that Twilio lets a phone ring. */
const LONGEST_RING_SECONDS = 600;
const FINAL: readonly CarrierCallState[] = carrierCallStates.slice(carrierCallStates.indexOf('completed'));

/** Whether a call in that state is over. */
export function isFinalState(state: CarrierCallState): boolean {
  return FINAL.includes(state);
}

/** @returns null for what is no state */
export function readCallState(value: unknown): CarrierCallState | null {
  return carrierCallStates.find((state) => state === value) ?? null;
}

/** @throws CarrierError: after `uncertain` the phone may ring, unless `isUnsent` */
export async function placeCall(
  { post, account }: TwilioAccess,
  { from, to, twiml, statusUrl, ringLimitSeconds }: CallRequest,
): Promise<AcceptedCall> {
  const answer = await post(`${account}/Calls.json`, {
    From: from,
    To: to,
    Twiml: twiml,
    Timeout: String(Math.min(ringLimitSeconds, LONGEST_RING_SECONDS)),
    StatusCallback: statusUrl,
    StatusCallbackMethod: 'POST',
    StatusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
  });
  return { callSid: sidOf(answer), queueMs: amountOf(answer['queue_time']) ?? 0 };
}

/** @returns null for a state that is not known here @throws CarrierError */
export async function readCall(
  { get, account }: TwilioAccess,
  callSid: string,
): Promise<CarrierCallState | null> {
  return readCallState(textOf((await get(`${account}/Calls/${callSid}.json`))['status']));
}

/** Ends a call in any state. Harmless for one that is over. @throws CarrierError */
export async function endCall({ post, account }: TwilioAccess, callSid: string): Promise<void> {
  try {
    await post(`${account}/Calls/${callSid}.json`, { Status: 'completed' });
  } catch (error) {
    const isOver = error instanceof CarrierError && ['rejected', 'missing'].includes(error.kind);
    if (!isOver) throw error;
  }
}
