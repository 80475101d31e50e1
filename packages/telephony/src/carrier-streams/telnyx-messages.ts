/**
 * The messages of Telnyx's media streaming in both directions, with RTP payloads. Sound is base64 of G.711, 8000 Hz, mono,
 * without RTP headers. Telnyx does not guarantee the order of sound: `chunk` counts its frames. `start` and sound are numbered;
 * other messages may be.
 *
 * @see https://developers.telnyx.com/api-reference/websockets/stream-call-media-over-websocket
 */
import type { CarrierMessage, CarrierProtocol, CarrierStreamStart } from './carrier-protocol.ts';
import {
  base64Of,
  countOf,
  digitOf,
  isObject,
  isPhoneRate,
  markOf,
  parametersOf,
  parseObject,
  payloadOf,
  type Json,
} from './read-message.ts';

/** `v3:` and URL-safe base64, or a UUID. */
const ID = /^[\w:.=-]{1,200}$/;
/** The names of the reference, and those of the guide, which is older. */
const CODECS: Readonly<Record<string, CarrierStreamStart['codec']>> = {
  PCMU: 'PCMU',
  PCMA: 'PCMA',
  'audio/x-mulaw': 'PCMU',
  'audio/x-alaw': 'PCMA',
};
const LONGEST_DETAIL = 200;

/** See {@link CarrierProtocol}. What we send needs no id: a connection has one stream. */
export const telnyxProtocol: CarrierProtocol = {
  parse: parseTelnyxMessage,
  writeMedia(_streamSid, payload) {
    return JSON.stringify({ event: 'media', media: { payload: base64Of(payload) } });
  },
  writeMark(_streamSid, name) {
    return JSON.stringify({ event: 'mark', mark: { name } });
  },
  writeClear() {
    return JSON.stringify({ event: 'clear' });
  },
};

function parseTelnyxMessage(text: string): CarrierMessage | null {
  const message = parseObject(text);
  const number = countOf(message?.['sequence_number']);
  switch (message?.['event']) {
    case 'connected':
      return { type: 'connected' };
    case 'start':
      return startOf(number, message);
    case 'media':
      return mediaOf(number, message['media']);
    case 'dtmf': {
      const digit = digitOf(message['dtmf']);
      return digit === null ? null : { type: 'dtmf', number, digit };
    }
    case 'mark': {
      const name = markOf(message['mark']);
      return name === null ? null : { type: 'mark', number, name };
    }
    case 'error':
      return { type: 'error', number, detail: errorOf(message['payload']) };
    case 'stop':
      return { type: 'stop', number };
    default:
      return null;
  }
}

function startOf(number: number | null, message: Json): CarrierMessage | null {
  const { stream_id: streamSid, start } = message;
  if (number === null || !isObject(start) || !isId(streamSid)) return null;
  const { call_control_id: callSid, media_format: format, custom_parameters: given } = start;
  const codec = isObject(format) ? codecOf(format) : null;
  if (!isId(callSid) || codec === null) return null;
  return { type: 'start', number, start: { streamSid, callSid, codec, parameters: parametersOf(given) } };
}

/** @returns null for a format in which nothing could be understood */
function codecOf({ encoding, sample_rate: sampleRate, channels }: Json): CarrierStreamStart['codec'] | null {
  const codec = typeof encoding === 'string' ? CODECS[encoding] : undefined;
  return codec !== undefined && isPhoneRate(sampleRate, channels) ? codec : null;
}

function mediaOf(number: number | null, media: unknown): CarrierMessage | null {
  if (number === null || !isObject(media)) return null;
  const [payload, chunk] = [payloadOf(media), countOf(media['chunk'])];
  return payload && chunk !== null ? { type: 'media', number, payload, chunk } : null;
}

function errorOf(payload: unknown): string {
  const { code, title, detail } = isObject(payload) ? payload : ({} as Json);
  const texts = [code, title, detail].filter((part) => typeof part === 'string' || typeof part === 'number');
  return texts.join(': ').slice(0, LONGEST_DETAIL) || 'It does not say what is wrong';
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}
