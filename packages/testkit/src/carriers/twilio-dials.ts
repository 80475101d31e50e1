/**
 * Outbound calls of a simulated Twilio.
 *
 * @see https://www.twilio.com/docs/voice/api/call-resource
 */
import type { DialWire, SimulatedDial } from './simulated-dial.ts';
import { TWILIO_ACCOUNT } from './twilio-account.ts';
import { newCallSid, signAsCarrier, streamByTwiml } from './twilio-streams.ts';

/** The parameters of a request that are understood. */
export const DIAL_PARAMETERS = [
  'From',
  'To',
  'Twiml',
  'Timeout',
  'StatusCallback',
  'StatusCallbackMethod',
  'StatusCallbackEvent',
];

const SIP_CODES: Readonly<Record<string, string>> = { busy: '486', failed: '503', 'no-answer': '487' };

export const twilioDials: DialWire = {
  newCallSid,
  stream({ Twiml: twiml = '', From: from = '', To: to = '' }, callSid) {
    return streamByTwiml(twiml, { from, to, callSid });
  },
  report({ From: from = '', To: to = '' }, { callSid, state, sequenceNumber }) {
    const sip = SIP_CODES[state];
    return {
      AccountSid: TWILIO_ACCOUNT.sid,
      ApiVersion: '2010-04-01',
      CallbackSource: 'call-progress-events',
      CallSid: callSid,
      CallStatus: state,
      Direction: 'outbound-api',
      From: from,
      SequenceNumber: sequenceNumber,
      To: to,
      ...(sip !== undefined && { SipResponseCode: sip }),
    };
  },
  sign: (url, report) => ({ 'x-twilio-signature': signAsCarrier(TWILIO_ACCOUNT.token, url, report) }),
};

/** A call as the API shows it. */
export function twilioDialBody({ callSid, form, state, behaviour, createdAt }: SimulatedDial): object {
  return {
    sid: callSid,
    account_sid: TWILIO_ACCOUNT.sid,
    from: form['From'],
    to: form['To'],
    status: state === 'initiated' ? 'queued' : state,
    direction: 'outbound-api',
    queue_time: String(behaviour.queueMs ?? 0),
    date_created: createdAt.toUTCString().replace('GMT', '+0000'),
  };
}

/** @param owned - the numbers of the account @returns what is wrong with a request, as Twilio says it, or null */
export function faultOfDial(
  owned: readonly { phoneNumber: string }[],
  form: Record<string, string>,
): [code: number, text: string] | null {
  const { From: from = '', To: to = '', Timeout: timeout = '', Twiml: twiml = '' } = form;
  if (!/^\+\d{5,15}$/.test(to))
    return [21_211, `The phone number you are attempting to call, ${to}, is not valid.`];
  if (!owned.some(({ phoneNumber }) => phoneNumber === from))
    return [21_210, `The source phone number provided, ${from}, is not yet verified for your account.`];
  if (!/^\d{1,3}$/.test(timeout) || Number(timeout) > 600) return [21_220, 'Invalid Timeout'];
  if (twiml === '' || twiml.length > 4_000) return [21_205, 'Url is not a valid URL'];
  return null;
}
