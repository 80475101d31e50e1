/**
 * The messages of Twilio's bidirectional Media Streams as a server reads and writes them: the counterpart of
 * `streams/stream-messages.ts`. All are JSON objects in text messages; sound is base64 of mu-law (ITU-T G.711), 8000 Hz, mono.
 * Every message of the carrier but `connected` has a number that counts from 1, as a string.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */

/** What the carrier says about a stream when it begins. */
export interface CarrierStreamStart {
  streamSid: string;
  callSid: string;
  accountSid: string;
  /** What the TwiML of the call contains as `<Parameter>`. */
  parameters: Readonly<Record<string, string>>;
}

/** A message of the carrier. */
export type CarrierMessage =
  | { type: 'connected' }
  | { type: 'start'; number: number; start: CarrierStreamStart }
  | { type: 'media'; number: number; payload: Buffer }
  | { type: 'dtmf'; number: number; digit: string }
  | { type: 'mark'; number: number; name: string }
  | { type: 'stop'; number: number };

/** Half a second of mu-law; the carrier sends 20 ms. */
const LONGEST_PAYLOAD_BYTES = 4_000;
/** RFC 4648 section 4. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const COUNT = /^\d{1,15}$/;
const SID = /^[A-Z]{2}[0-9a-zA-Z]{32}$/;
/** A few values of the TwiML; ours has one. */
const MOST_PARAMETERS = 20;
const LONGEST_PARAMETER = 500;

type Json = Record<string, unknown>;

/** @returns null for what is not in the protocol */
export function parseCarrierMessage(text: string): CarrierMessage | null {
  const message = parseObject(text);
  if (message?.['event'] === 'connected') return { type: 'connected' };
  const number = countOf(message?.['sequenceNumber']);
  if (!message || number === null) return null;
  switch (message['event']) {
    case 'start':
      return startOf(number, message['start']);
    case 'media':
      return mediaOf(number, message['media']);
    case 'dtmf':
      return digitOf(number, message['dtmf']);
    case 'mark':
      return markOf(number, message['mark']);
    case 'stop':
      return { type: 'stop', number };
    default:
      return null;
  }
}

/** A message with sound to be played. */
export function writeMedia(streamSid: string, payload: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = payload;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return JSON.stringify({ event: 'media', streamSid, media: { payload: text } });
}

/** Comes back when the sound before it was played, or dropped by {@link writeClear}. */
export function writeMark(streamSid: string, name: string): string {
  return JSON.stringify({ event: 'mark', streamSid, mark: { name } });
}

/** Drops all sound that was not played yet. */
export function writeClear(streamSid: string): string {
  return JSON.stringify({ event: 'clear', streamSid });
}

function startOf(number: number, value: unknown): CarrierMessage | null {
  if (!isObject(value) || !isPhoneSound(value['mediaFormat'])) return null;
  const { streamSid, callSid, accountSid } = value;
  if (!isSid(streamSid) || !isSid(callSid) || !isSid(accountSid)) return null;
  const given = isObject(value['customParameters']) ? Object.entries(value['customParameters']) : [];
  const parameters: Record<string, string> = {};
  for (const [name, text] of given.slice(0, MOST_PARAMETERS))
    if (typeof text === 'string' && text.length <= LONGEST_PARAMETER) parameters[name] = text;
  return { type: 'start', number, start: { streamSid, callSid, accountSid, parameters } };
}

/** The only format that the carrier offers; with another one nothing could be understood. */
function isPhoneSound(format: unknown): boolean {
  if (!isObject(format)) return false;
  const { encoding, sampleRate, channels } = format;
  return encoding === 'audio/x-mulaw' && Number(sampleRate) === 8000 && Number(channels) === 1;
}

function mediaOf(number: number, media: unknown): CarrierMessage | null {
  if (!isObject(media) || media['track'] !== 'inbound') return null;
  const { payload: text } = media;
  if (typeof text !== 'string' || !BASE64.test(text)) return null;
  const payload = Buffer.from(text, 'base64');
  return payload.length > LONGEST_PAYLOAD_BYTES ? null : { type: 'media', number, payload };
}

function digitOf(number: number, dtmf: unknown): CarrierMessage | null {
  const digit = isObject(dtmf) ? dtmf['digit'] : null;
  return typeof digit === 'string' && /^[0-9*#A-D]$/.test(digit) ? { type: 'dtmf', number, digit } : null;
}

function markOf(number: number, mark: unknown): CarrierMessage | null {
  const name = isObject(mark) ? mark['name'] : null;
  return typeof name === 'string' ? { type: 'mark', number, name } : null;
}

function isSid(value: unknown): value is string {
  return typeof value === 'string' && SID.test(value);
}

/** Also numbers, as other carriers with this protocol write them. */
function countOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && COUNT.test(text) ? Number(text) : null;
}

/** @returns null for what is not a JSON object */
function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
