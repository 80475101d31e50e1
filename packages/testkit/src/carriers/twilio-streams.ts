/**
 * What a simulated Twilio does with TwiML that streams a call, and what it signs.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
import { createHmac } from 'node:crypto';
import {
  readParameters,
  StreamedCaller,
  type SimulatedWire,
  type StreamedCall,
  type StreamMisbehaviour,
} from './streamed-caller.ts';
import { TWILIO_ACCOUNT } from './twilio-account.ts';

/** How a call is made, and what goes wrong with it. */
export interface SimulatedCall extends StreamMisbehaviour {
  from: string;
  to: string;
  /** Signs the form and the handshake. Default: the right token. */
  token?: string;
  /** Default: a new one. */
  callSid?: string;
}

const STREAM =
  /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Connect><Stream url="([^"?]+)">((?:<Parameter name="[^"]+" value="[^"]*"\/>)*)<\/Stream><\/Connect><Hangup\/><\/Response>$/;
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
