/**
 * The messages of Twilio's bidirectional Media Streams over a WebSocket, as Parley sends them to an agent and reads them from
 * one. All are JSON objects in text messages; sound is base64 of mu-law (ITU-T G.711), 8000 Hz, mono. Numbers that count are
 * strings, as Twilio sends them.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */

/** The identity of a stream, in the form of Twilio's SIDs: two letters and 32 hexadecimal digits. */
export interface StreamIdentity {
  streamSid: string;
  callSid: string;
  accountSid: string;
  customParameters: Readonly<Record<string, string>>;
}

/** A message from the agent. */
export type AgentMessage =
  | { type: 'media'; payload: Buffer }
  | { type: 'mark'; name: string }
  | { type: 'clear' };

/** The longest name of a mark, characters. */
const LONGEST_MARK = 1_000;
/** RFC 4648 section 4, where the padding may be left out. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The first message of a connection. It has no number. */
export const CONNECTED = JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' });

/** Writes the messages of one stream, numbered from 1. */
export class StreamWriter {
  readonly #about: StreamIdentity;
  #sequenceNumber = 0;
  #chunk = 0;

  constructor(about: StreamIdentity) {
    this.#about = about;
  }

  start(): string {
    const { streamSid, callSid, accountSid, customParameters } = this.#about;
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    return this.#message('start', {
      start: { accountSid, streamSid, callSid, tracks: ['inbound'], mediaFormat, customParameters },
    });
  }

  /** @param timestampMs - since the start of the stream */
  media(payload: Uint8Array, timestampMs: number): string {
    this.#chunk += 1;
    const { buffer, byteOffset, byteLength } = payload;
    const media = {
      track: 'inbound',
      chunk: String(this.#chunk),
      timestamp: String(timestampMs),
      payload: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
    };
    return this.#message('media', { media });
  }

  mark(name: string): string {
    return this.#message('mark', { mark: { name } });
  }

  dtmf(digit: string): string {
    return this.#message('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  stop(): string {
    const { accountSid, callSid } = this.#about;
    return this.#message('stop', { stop: { accountSid, callSid } });
  }

  #message(event: string, content: Record<string, unknown>): string {
    this.#sequenceNumber += 1;
    const { streamSid } = this.#about;
    return JSON.stringify({ event, sequenceNumber: String(this.#sequenceNumber), ...content, streamSid });
  }
}

/** @returns null for what is not in the protocol, or names another stream */
export function parseAgentMessage(text: string, streamSid: string): AgentMessage | null {
  const message = parseObject(text);
  if (!message || (message['streamSid'] !== undefined && message['streamSid'] !== streamSid)) return null;
  switch (message['event']) {
    case 'media':
      return mediaOf(message['media']);
    case 'mark': {
      const name = isObject(message['mark']) ? message['mark']['name'] : null;
      return typeof name === 'string' && name.length <= LONGEST_MARK ? { type: 'mark', name } : null;
    }
    case 'clear':
      return { type: 'clear' };
    default:
      return null;
  }
}

function mediaOf(media: unknown): AgentMessage | null {
  const payload = isObject(media) ? media['payload'] : null;
  if (typeof payload !== 'string' || !BASE64.test(payload)) return null;
  return { type: 'media', payload: Buffer.from(payload, 'base64') };
}

/** @returns null for what is not a JSON object */
function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a parsed value is an object, and neither null nor a list. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
