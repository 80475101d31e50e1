/**
 * The messages of Twilio's bidirectional Media Streams as a server reads and writes them: the counterpart of
 * `streams/stream-messages.ts`. Sound is base64 of mu-law (ITU-T G.711), 8000 Hz, mono. Every message of the carrier but
 * `connected` has a number that counts from 1, as a string.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
import type { CarrierMessage, CarrierProtocol } from './carrier-protocol.ts';
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
} from './read-message.ts';

const SID = /^[A-Z]{2}[0-9a-zA-Z]{32}$/;

/** See {@link CarrierProtocol}. */
export const twilioProtocol: CarrierProtocol = {
  parse: parseTwilioMessage,
  writeMedia(streamSid, payload) {
    return JSON.stringify({ event: 'media', streamSid, media: { payload: base64Of(payload) } });
  },
  writeMark(streamSid, name) {
    return JSON.stringify({ event: 'mark', streamSid, mark: { name } });
  },
  writeClear(streamSid) {
    return JSON.stringify({ event: 'clear', streamSid });
  },
};

function parseTwilioMessage(text: string): CarrierMessage | null {
  const message = parseObject(text);
  if (message?.['event'] === 'connected') return { type: 'connected' };
  const number = countOf(message?.['sequenceNumber']);
  if (!message || number === null) return null;
  switch (message['event']) {
    case 'start':
      return startOf(number, message['start']);
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
    case 'stop':
      return { type: 'stop', number };
    default:
      return null;
  }
}

function startOf(number: number, value: unknown): CarrierMessage | null {
  if (!isObject(value) || !isPhoneSound(value['mediaFormat'])) return null;
  const { streamSid, callSid, accountSid } = value;
  if (!isSid(streamSid) || !isSid(callSid) || !isSid(accountSid)) return null;
  const parameters = parametersOf(value['customParameters']);
  return { type: 'start', number, start: { streamSid, callSid, codec: 'PCMU', parameters } };
}

/** The only format that the carrier offers. */
function isPhoneSound(format: unknown): boolean {
  if (!isObject(format)) return false;
  const { encoding, sampleRate, channels } = format;
  return encoding === 'audio/x-mulaw' && isPhoneRate(sampleRate, channels);
}

function mediaOf(number: number, media: unknown): CarrierMessage | null {
  const payload = isObject(media) ? payloadOf(media) : null;
  return payload && { type: 'media', number, payload, chunk: null };
}

function isSid(value: unknown): value is string {
  return typeof value === 'string' && SID.test(value);
}
