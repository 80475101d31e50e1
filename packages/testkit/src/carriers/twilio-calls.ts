/**
 * Callers of a simulated Twilio whose calls are streamed. It asks for TwiML as Twilio does, with a signed form, checks it against
 * the documentation, and follows it.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
import { createHmac } from 'node:crypto';
import type { CarrierSimulator } from './carrier-simulator.ts';
import {
  readParameters,
  StreamedCaller,
  type CallVerdict,
  type SimulatedWire,
  type StreamedCall,
  type StreamMisbehaviour,
} from './streamed-caller.ts';
import { TWILIO_ACCOUNT } from './twilio-account.ts';

/** How a call is made, and what goes wrong with it. */
export interface SimulatedCall extends StreamMisbehaviour {
  from: string;
  to: string;
  /** By which the form and the handshake are signed. Default: the right token. */
  token?: string;
  /** Default: a new one. */
  callSid?: string;
}

const STREAM =
  /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Connect><Stream url="([^"?]+)">((?:<Parameter name="[^"]+" value="[^"]*"\/>)*)<\/Stream><\/Connect><Hangup\/><\/Response>$/;
const REJECT =
  /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Reject reason="(busy|rejected)"\/><\/Response>$/;
let calls = 0;

/** As Twilio signs: parameters sorted by name. */
export function signAsCarrier(token: string, url: string, fields: Record<string, string> = {}): string {
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => name + fields[name])
    .join('');
  return createHmac('sha1', token)
    .update(url + text)
    .digest('base64');
}

/** 34 characters, as those of the simulated Twilio. */
export function newCallSid(): string {
  calls += 1;
  return `CA${(Date.now() * 1000 + calls).toString(16).padStart(32, '0')}`;
}

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

/** Follows TwiML that streams a call. @throws Error for any other */
export function streamByTwiml(twiml: string, call: SimulatedCall & { callSid: string }): StreamedCall {
  const [, url, parameters] = STREAM.exec(twiml) ?? [];
  if (url === undefined || parameters === undefined) throw new Error(`This TwiML is not followed: ${twiml}`);
  const { callSid, token = TWILIO_ACCOUNT.token } = call;
  const headers = { 'x-twilio-signature': signAsCarrier(token, url) };
  const about = { callSid, url, headers, parameters: readParameters(parameters), wire: wireOf(callSid) };
  return new StreamedCaller({ ...call, ...about });
}

function wireOf(callSid: string): SimulatedWire {
  const streamSid = callSid.replace('CA', 'MZ');
  const accountSid = TWILIO_ACCOUNT.sid;
  return {
    connected: { protocol: 'Call' },
    start: (customParameters) => ({
      accountSid,
      streamSid,
      callSid,
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      customParameters,
    }),
    dtmf: (digit) => ({ dtmf: { track: 'inbound_track', digit } }),
    stop: { accountSid, callSid },
    about: (sequenceNumber) => ({ sequenceNumber, streamSid }),
    check: (message) => (message['streamSid'] === streamSid ? null : 'names another stream'),
  };
}

function findVoiceUrl({ world }: CarrierSimulator, to: string): string {
  const number = world.owned.find(({ phoneNumber }) => phoneNumber === to);
  const application = [...world.resources.values()].flat().find(({ sid }) => sid === number?.applicationRef);
  if (!number?.applicationRef || !application) throw new Error(`${to} is not connected to an application`);
  if (application['voice_method'] !== 'POST') throw new Error('The application does not use POST');
  return String(application['voice_url']);
}
