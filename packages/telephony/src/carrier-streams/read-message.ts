/** Reads values out of a carrier's messages, whose shape is not trusted. */

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Half a second of G.711; carriers send 20 ms. */
const LONGEST_PAYLOAD_BYTES = 4_000;
/** RFC 4648 section 4. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const COUNT = /^\d{1,15}$/;
/** A few values of the markup; ours has one. */
const MOST_PARAMETERS = 20;
const LONGEST_PARAMETER = 500;

/** @returns null for what is not a JSON object */
export function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number from 0, also as a text: carriers write both. */
export function countOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && COUNT.test(text) ? Number(text) : null;
}

/** The sound of a message of the caller's track. */
export function payloadOf(media: Json): Buffer | null {
  const { track, payload: text } = media;
  if (track !== 'inbound' || typeof text !== 'string' || !BASE64.test(text)) return null;
  const payload = Buffer.from(text, 'base64');
  return payload.length > LONGEST_PAYLOAD_BYTES ? null : payload;
}

/** The key of a message. */
export function digitOf(dtmf: unknown): string | null {
  const digit = isObject(dtmf) ? dtmf['digit'] : null;
  return typeof digit === 'string' && /^[0-9*#A-D]$/.test(digit) ? digit : null;
}

/** The name of a mark. */
export function markOf(mark: unknown): string | null {
  const name = isObject(mark) ? mark['name'] : null;
  return typeof name === 'string' ? name : null;
}

/** The texts that the markup of the call contains. */
export function parametersOf(value: unknown): Record<string, string> {
  const given = isObject(value) ? Object.entries(value) : [];
  const parameters: Record<string, string> = {};
  for (const [name, text] of given.slice(0, MOST_PARAMETERS))
    if (typeof text === 'string' && text.length <= LONGEST_PARAMETER) parameters[name] = text;
  return parameters;
}

/** Mono at 8000 Hz: anything else could not be understood. */
export function isPhoneRate(sampleRate: unknown, channels: unknown): boolean {
  return Number(sampleRate) === 8000 && Number(channels) === 1;
}

export function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
