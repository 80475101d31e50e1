/**
 * Callers of a simulated Telnyx whose calls are streamed. It asks for TeXML as Telnyx does, with a signed form, checks it against
 * the documentation, and follows it. Its streams are not signed.
 *
 * @see https://developers.telnyx.com/docs/voice/programmable-voice/texml-verbs/stream
 * @see https://developers.telnyx.com/api-reference/websockets/stream-call-media-over-websocket
 */
import { randomUUID } from 'node:crypto';
import type { CarrierSimulator } from './carrier-simulator.ts';
import {
  readParameters,
  StreamedCaller,
  type CallVerdict,
  type SimulatedWire,
  type StreamedCall,
  type StreamMisbehaviour,
} from './streamed-caller.ts';
import { signAsTelnyx, TELNYX_ORGANISATION } from './telnyx-account.ts';

/** How a call is made, and what goes wrong with it. */
export interface SimulatedTelnyxCall extends StreamMisbehaviour {
  from: string;
  to: string;
  /** Default: a new one. */
  callSid?: string;
  /** The form is signed with the key of somebody else. */
  isForged?: boolean;
  /** The form was signed that long ago, seconds. */
  signedAgoSeconds?: number;
  /** Parameters of the form in place of the right ones. */
  form?: Record<string, string>;
}

const TEXML =
  /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Connect><Stream((?: \w+="[^"]*")+)>((?:<Parameter name="[^"]+" value="[^"]*"\/>)*)<\/Stream><\/Connect><Hangup\/><\/Response>$/;
const REJECT =
  /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Reject reason="(busy|rejected)"\/><\/Response>$/;
/** Without these, Telnyx plays files of MP3, or sends the codec of the call. */
const SOUND = {
  track: 'inbound_track',
  codec: 'PCMU',
  bidirectionalMode: 'rtp',
  bidirectionalCodec: 'PCMU',
  bidirectionalSamplingRate: '8000',
};

/** A call control id, as that of the simulated Telnyx. */
export function newCallControlId(): string {
  return `v3:${randomUUID().replaceAll('-', '')}_${randomUUID().slice(0, 8)}`;
}

/** @throws Error when the number is not connected to an application, or the answer is no TeXML */
export async function placeTelnyxCall(
  carrier: CarrierSimulator,
  call: SimulatedTelnyxCall,
): Promise<CallVerdict> {
  const { callSid = newCallControlId(), isForged = false, signedAgoSeconds = 0 } = call;
  const application = findApplication(carrier, call.to);
  const body = new URLSearchParams({
    AccountSid: TELNYX_ORGANISATION,
    ApiVersion: '2010-04-01',
    CallSid: callSid,
    CallSidLegacy: callSid,
    CallStatus: 'ringing',
    ConnectionId: application.id,
    From: call.from,
    To: call.to,
    ...call.form,
  }).toString();
  const response = await fetch(application.voiceUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...signAsTelnyx(body, { isForged, at: new Date(Date.now() - signedAgoSeconds * 1_000) }),
    },
    body,
  });
  const texml = await response.text();
  if (response.status !== 200) return { status: response.status };
  if (!/^(text|application)\/xml\b/.test(response.headers.get('content-type') ?? ''))
    throw new Error('The answer is no XML');
  const [, rejected] = REJECT.exec(texml) ?? [];
  if (rejected !== undefined) return { rejected };
  return { stream: streamByTexml(texml, { ...call, callSid }) };
}

/** Follows TeXML that streams a call. @throws Error for any other */
export function streamByTexml(texml: string, call: SimulatedTelnyxCall & { callSid: string }): StreamedCall {
  const [, attributes = '', parameters = ''] = TEXML.exec(texml) ?? [];
  const { url, ...sound } = readAttributes(attributes);
  if (url === undefined || JSON.stringify(sound) !== JSON.stringify(SOUND))
    throw new Error(`This TeXML is not followed: ${texml}`);
  const { callSid } = call;
  const wire = wireOf(call, callSid);
  return new StreamedCaller({ ...call, url, headers: {}, parameters: readParameters(parameters), wire });
}

function readAttributes(text: string): Record<string, string> {
  const found = [...text.matchAll(/ (\w+)="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, value])) as Record<string, string>;
}

function findApplication({ world }: CarrierSimulator, to: string): { id: string; voiceUrl: string } {
  const number = world.owned.find(({ phoneNumber }) => phoneNumber === to);
  const application = world.list('/v2/texml_applications').find(({ id }) => id === number?.trunkRef);
  if (!application || application['active'] !== true)
    throw new Error(`${to} is not connected to an application that is active`);
  if (application['voice_method'] !== 'post') throw new Error('The application does not use POST');
  return { id: String(application['id']), voiceUrl: String(application['voice_url']) };
}

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  media: ['event', 'media'],
  mark: ['event', 'mark'],
  clear: ['event'],
};

function wireOf({ from, to }: SimulatedTelnyxCall, callSid: string): SimulatedWire {
  const [streamId, userId] = [randomUUID(), randomUUID()];
  return {
    connected: {},
    start: (custom) => ({
      user_id: userId,
      call_control_id: callSid,
      call_session_id: randomUUID(),
      from,
      to,
      tags: [],
      custom_parameters: custom,
      media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
    }),
    dtmf: (digit) => ({ occurred_at: new Date().toISOString(), dtmf: { digit } }),
    stop: { user_id: userId, call_control_id: callSid },
    about: (sequenceNumber) => ({ sequence_number: sequenceNumber, stream_id: streamId }),
    check(message) {
      const allowed = FIELDS[String(message['event'])] ?? [];
      const [unknown] = Object.keys(message).filter((name) => !allowed.includes(name));
      return unknown === undefined ? null : `has the unknown field ${unknown}`;
    },
  };
}
