/**
 * Outbound calls of Telnyx's TeXML commands. `POST /texml/calls/{id}` is shorter, but takes no address of reports, by which a call is
 * found whose answer was lost.
 *
 * @see https://developers.telnyx.com/api-reference/texml-rest-commands/initiate-an-outbound-call
 * @see https://developers.telnyx.com/api-reference/texml-rest-commands/update-call
 */
import { endedOrOver, readCallState, type CarrierCalls, type CarrierCallState } from './carrier-calls.ts';
import { textOf } from './read-answer.ts';
import type { TelnyxAccess } from './telnyx-access.ts';

/** The limits of `Timeout`. */
const [SHORTEST_RING_SECONDS, LONGEST_RING_SECONDS] = [5, 120];
/** `v3:` and URL-safe base64, or a UUID. */
const CALL_SID = /^[\w:.=-]{1,200}$/;

/** Whether a text can be Telnyx's id of a call. */
export function isTelnyxCallSid(text: string): boolean {
  return CALL_SID.test(text);
}

/**
 * Causes of a call that was not answered. Telnyx sends a cause with `completed`, which it documents for every call that is over. The
 * other causes (`normal_clearing`, `time_limit`, `unspecified`) say nothing more than the status.
 *
 * @see https://developers.telnyx.com/api-reference/callbacks/texml-call-completed
 * @see https://developers.telnyx.com/api-reference/callbacks/call-hangup
 */
const STATE_OF_CAUSE: ReadonlyMap<string, CarrierCallState> = new Map([
  ['user_busy', 'busy'],
  ['no_answer', 'no-answer'],
  ['timeout', 'no-answer'],
  ['call_rejected', 'failed'],
  ['not_found', 'failed'],
  ['originator_cancel', 'canceled'],
]);

/** @returns null for what is no state */
export function readTelnyxState(callStatus: string, hangupCause: string): CarrierCallState | null {
  const state = readCallState(callStatus);
  return state === 'completed' || state === 'failed' ? (STATE_OF_CAUSE.get(hangupCause) ?? state) : state;
}

/** The application that dials calls, and the id of the organisation, which is the account of these commands. */
export interface TelnyxCaller {
  applicationRef: string;
  organisationRef: string;
}

/** See {@link CarrierCalls}. */
export function createTelnyxCalls(
  { get, write, writeForm }: TelnyxAccess,
  { applicationRef, organisationRef }: TelnyxCaller,
): CarrierCalls {
  const calls = `/texml/Accounts/${organisationRef}/Calls`;
  const pathOf = (callSid: string): string => `${calls}/${encodeURIComponent(callSid)}`;
  return {
    async place({ from, to, markup, statusUrl, ringLimitSeconds }) {
      const ring = Math.max(SHORTEST_RING_SECONDS, Math.min(ringLimitSeconds, LONGEST_RING_SECONDS));
      const answer = await write('POST', calls, {
        ApplicationSid: applicationRef,
        From: from,
        To: to,
        Texml: markup,
        Timeout: ring,
        StatusCallback: statusUrl,
        StatusCallbackMethod: 'POST',
        StatusCallbackEvent: 'initiated ringing answered completed',
      });
      // The reference documents `from`, `to` and `status` here, and `call_sid` in the shorter command.
      const callSid = textOf(answer['call_sid']) ?? textOf(answer['sid']);
      return { callSid: callSid !== null && isTelnyxCallSid(callSid) ? callSid : null, queueMs: 0 };
    },
    async read(callSid) {
      return readCallState(textOf((await get(pathOf(callSid)))['status']));
    },
    end: (callSid) => endedOrOver(writeForm(pathOf(callSid), { Status: 'completed' })),
  };
}
