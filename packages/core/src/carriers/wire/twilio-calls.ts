/**
 * Outbound calls of Twilio's REST API.
 *
 * @see https://www.twilio.com/docs/voice/api/call-resource
 * @see https://www.twilio.com/docs/api/errors/20500
 */
import { endedOrOver, readCallState, type CarrierCalls } from './carrier-calls.ts';
import { amountOf, textOf } from './read-answer.ts';
import { sidOf, type TwilioAccess } from './twilio-access.ts';

/** The longest time that Twilio lets a phone ring. */
const LONGEST_RING_SECONDS = 600;

/** See {@link CarrierCalls}. */
export function createTwilioCalls({ get, post, account }: TwilioAccess): CarrierCalls {
  return {
    async place({ from, to, markup, statusUrl, ringLimitSeconds }) {
      const answer = await post(`${account}/Calls.json`, {
        From: from,
        To: to,
        Twiml: markup,
        Timeout: String(Math.min(ringLimitSeconds, LONGEST_RING_SECONDS)),
        StatusCallback: statusUrl,
        StatusCallbackMethod: 'POST',
        StatusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
      });
      return { callSid: sidOf(answer), queueMs: amountOf(answer['queue_time']) ?? 0 };
    },
    async read(callSid) {
      return readCallState(textOf((await get(`${account}/Calls/${callSid}.json`))['status']));
    },
    end: (callSid) => endedOrOver(post(`${account}/Calls/${callSid}.json`, { Status: 'completed' })),
  };
}
