/**
 * SDP (RFC 4566) as far as a telephone needs it. The library parses and writes lines; whatever it returns for hostile
 * text is checked here field by field before anyone relies on it.
 */
import { isIP } from 'node:net';
import * as sdpTransform from 'sdp-transform';
import { malformed } from '../message/parse-error.ts';

/** Seen from whoever wrote the description. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** One `rtpmap`, or what a static payload type means without one. */
export interface Format {
  payloadType: number;
  /** Upper case: `PCMU`, `TELEPHONE-EVENT`. */
  encoding: string;
  clockRateHz: number;
}

/** One `m=` section. */
export interface MediaSection {
  /** `audio`, `video`, … */
  type: string;
  /** 0: refused or switched off. */
  port: number;
  /** `RTP/AVP`, … */
  protocol: string;
  /** The formats as text, for repeating them in a refusal. */
  payloads: string;
  formats: Format[];
  direction: Direction;
  /** Where the sound goes, null where no usable address is given. */
  host: string | null;
}

/** What the library makes of hostile lines: a word that looks like a number is one, and anything may be missing. */
interface LooseMedia {
  type?: unknown;
  port?: unknown;
  protocol?: unknown;
  payloads?: unknown;
  direction?: unknown;
  connection?: { ip?: unknown };
  rtp?: { payload?: unknown; codec?: unknown; rate?: unknown }[];
}
type LooseSession = Pick<LooseMedia, 'direction' | 'connection'> & { media?: LooseMedia[] };

const STATIC_FORMATS: readonly Format[] = [
  { payloadType: 0, encoding: 'PCMU', clockRateHz: 8000 },
  { payloadType: 8, encoding: 'PCMA', clockRateHz: 8000 },
];
const DIRECTIONS: readonly unknown[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];
const MAX_SECTIONS = 16;

/** Reads a description. @throws SipParseError when it is not one */
export function parseSdp(text: string): MediaSection[] {
  if (!/^v=0\s/.test(text)) throw malformed('the body is no session description');
  const session: LooseSession = sdpTransform.parse(text);
  const sections = session.media ?? [];
  if (sections.length > MAX_SECTIONS) throw malformed('the description has too many media sections');
  return sections.map((media) => readSection(media, session));
}

function readSection(media: LooseMedia, session: LooseSession): MediaSection {
  return {
    type: word(media.type),
    port: isPort(media.port) ? media.port : 0,
    protocol: word(media.protocol),
    payloads: word(media.payloads),
    formats: readFormats(media),
    direction: readDirection(media.direction ?? session.direction),
    host: readHost(media.connection?.ip ?? session.connection?.ip),
  };
}

function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isPort(port: unknown): port is number {
  return typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535;
}

/** In the order of the `m=` line: that is the writer's preference. */
function readFormats(media: LooseMedia): Format[] {
  return word(media.payloads)
    .split(' ')
    .filter((text) => /^\d{1,3}$/.test(text) && Number(text) <= 127)
    .flatMap((text) => readFormat(Number(text), media) ?? []);
}

function readFormat(payloadType: number, media: LooseMedia): Format | null {
  const map = media.rtp?.find((entry) => entry.payload === payloadType);
  if (!map) return STATIC_FORMATS.find((format) => format.payloadType === payloadType) ?? null;
  return { payloadType, encoding: word(map.codec).toUpperCase(), clockRateHz: Number(map.rate ?? 8000) };
}

function readDirection(direction: unknown): Direction {
  return DIRECTIONS.includes(direction) ? (direction as Direction) : 'sendrecv';
}

/** Only addresses: a name would make the sound wait for DNS, and nobody sends one. */
function readHost(host: unknown): string | null {
  const address = typeof host === 'string' ? (host.split('/')[0] ?? '') : '';
  return isIP(address) === 0 ? null : address;
}

/** One section to write. */
export interface SectionToWrite {
  type: string;
  port: number;
  protocol: string;
  payloads: string;
  formats: readonly Format[];
  direction: Direction;
}

/** What the `o=` and `c=` lines say. */
export interface Origin {
  host: string;
  sessionId: number;
  /** Grows with every change of the description (RFC 3264 section 8). */
  version: number;
}

/** Writes a description. */
export function writeSdp(origin: Origin, sections: readonly SectionToWrite[]): string {
  const ipVer = isIP(origin.host) === 6 ? 6 : 4;
  return sdpTransform.write({
    version: 0,
    origin: {
      username: '-',
      netType: 'IN',
      ipVer,
      address: origin.host,
      sessionId: origin.sessionId,
      sessionVersion: origin.version,
    },
    name: '-',
    connection: { version: ipVer, ip: origin.host },
    timing: { start: 0, stop: 0 },
    media: sections.map(writeSection),
  });
}

function writeSection(section: SectionToWrite): sdpTransform.MediaDescription {
  const { type, port, protocol, payloads } = section;
  if (port === 0) return { type, port, protocol, payloads, rtp: [], fmtp: [] };
  const events = section.formats.filter((format) => format.encoding === 'TELEPHONE-EVENT');
  return {
    type,
    port,
    protocol,
    payloads,
    rtp: section.formats.map((format) => ({
      payload: format.payloadType,
      codec: format.encoding === 'TELEPHONE-EVENT' ? 'telephone-event' : format.encoding,
      rate: format.clockRateHz,
    })),
    // 0-15: the keys 0-9 * # A-D (RFC 4733 section 2.5.2.4 on how to say so).
    fmtp: events.map((format) => ({ payload: format.payloadType, config: '0-15' })),
    ptime: 20,
    direction: section.direction,
  };
}
