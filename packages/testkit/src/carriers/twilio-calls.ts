/**
 * Callers of a simulated Twilio whose calls are streamed. It asks for TwiML as Twilio does, with a signed form, checks it against
 * the documentation, and follows it.
 *
 * @see https://www.twilio.com/docs/voice/twiml
 */
import type { CarrierSimulator } from './carrier-simulator.ts';
import type { CallVerdict } from './streamed-caller.ts';
import { TWILIO_ACCOUNT } from './twilio-account.ts';
import { newCallSid, signAsCarrier, streamByTwiml, type SimulatedCall } from './twilio-streams.ts';

const REJECT =
  /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Reject reason="(busy|rejected)"\/><\/Response>$/;

/** @throws Error when the number is not connected to an application, or the answer is no TwiML */
export async function placeTwilioCall(carrier: CarrierSimulator, call: SimulatedCall): Promise<CallVerdict> {
  const { token = TWILIO_ACCOUNT.token, callSid = newCallSid() } = call;
  const voiceUrl = findVoiceUrl(carrier, call.to);
  const fields = {
    AccountSid: TWILIO_ACCOUNT.sid,
    ApiVersion: '2010-04-01',
    CallSid: callSid,
    CallStatus: 'ringing',
    Called: call.to,
    Caller: call.from,
    Direction: 'inbound',
    From: call.from,
    To: call.to,
    ToCity: '',
  };
  const response = await fetch(voiceUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': signAsCarrier(token, voiceUrl, fields),
    },
    body: new URLSearchParams(fields),
  });
  const twiml = await response.text();
  if (response.status !== 200) return { status: response.status };
  if (!/^(text|application)\/xml\b/.test(response.headers.get('content-type') ?? ''))
    throw new Error('The answer is no XML');
  const [, rejected] = REJECT.exec(twiml) ?? [];
  if (rejected !== undefined) return { rejected };
  return { stream: streamByTwiml(twiml, { ...call, callSid, token }) };
}

function findVoiceUrl({ world }: CarrierSimulator, to: string): string {
  const number = world.owned.find(({ phoneNumber }) => phoneNumber === to);
  const application = [...world.resources.values()].flat().find(({ sid }) => sid === number?.applicationRef);
  if (!number?.applicationRef || !application) throw new Error(`${to} is not connected to an application`);
  if (application['voice_method'] !== 'POST') throw new Error('The application does not use POST');
  return String(application['voice_url']);
}
