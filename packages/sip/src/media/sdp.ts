/**
 * The subset of SDP (RFC 4566) that a telephone needs. The library parses and writes lines; what it returns for hostile
 * input is checked here field by field.
 */
import { isIP } from 'node:net';
import * as sdpTransform from 'sdp-transform';
import { malformed } from '../message/parse-error.ts';
import { parametersToWrite, type Format } from './formats.ts';
import { isSuite, isUsableCrypto, readInlineKey, type CryptoLine } from './crypto-line.ts';

/** Seen from the side that wrote the description. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** One `m=` section. */
export interface MediaSection {
  /** `audio`, `video`, … */
  type: string;
  /** 0: the stream is rejected or disabled. */
  port: number;
  /** `RTP/AVP`, … */
  protocol: string;
  /** The formats as text, to repeat them when the stream is rejected. */
  payloads: string;
  formats: Format[];
  direction: Direction;
  /** The address for media, null without a usable one. */
  host: string | null;
  /** The most sound that a packet to that side may have (`a=maxptime`); null: no limit. */
  maxPacketMs: number | null;
  /** The keys of `RTP/SAVP` that we can use, in order of preference. */
  crypto: CryptoLine[];
}

/** What the library returns: text that looks like a number is a number, and any field may be missing. */
interface LooseMedia {
  type?: unknown;
  port?: unknown;
  protocol?: unknown;
  payloads?: unknown;
  direction?: unknown;
  maxptime?: unknown;
  crypto?: { id?: unknown; suite?: unknown; config?: unknown }[];
  connection?: { ip?: unknown };
  rtp?: { payload?: unknown; codec?: unknown; rate?: unknown; encoding?: unknown }[];
  fmtp?: { payload?: unknown; config?: unknown }[];
}
type LooseSession = Pick<LooseMedia, 'direction' | 'connection' | 'maxptime'> & { media?: LooseMedia[] };

const STATIC_FORMATS: readonly Format[] = [
  { payloadType: 0, encoding: 'PCMU', clockRateHz: 8000 },
  { payloadType: 8, encoding: 'PCMA', clockRateHz: 8000 },
  { payloadType: 9, encoding: 'G722', clockRateHz: 8000 },
];
const DIRECTIONS: readonly unknown[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];
const MAX_SECTIONS = 16;

/**
 * The lines that we use. The library matches every other line against its own expressions, some of which take polynomial
 * time.
 */
const USED_LINE =
  /^(?:[vmc]=|a=(?:rtpmap:|fmtp:|crypto:|sendrecv|sendonly|recvonly|inactive|maxptime:\d{1,4}$))/;
const MAX_LINE_LENGTH = 1024;
/**
 * RFC 4566 section 5.14: `m=<media> <port>/<number of ports> <proto> <fmt> ...`. The library does not read the number of
 * ports, which has a meaning for hierarchically encoded streams only.
 */
const PORT_COUNT = /^(m=\S+ \d+)\/\d+(?= )/;

/** Parses a session description. @throws SipParseError when the text is not one */
export function parseSdp(text: string): MediaSection[] {
  if (!/^v=0\s/.test(text)) throw malformed('the body is not a session description');
  const lines = text
    .split(/[\r\n]+/)
    .filter((line) => USED_LINE.test(line) && line.length <= MAX_LINE_LENGTH)
    .filter((line) => !line.startsWith('a=crypto:') || isUsableCrypto(line))
    .map((line) => line.replace(PORT_COUNT, '$1'));
  const session: LooseSession = sdpTransform.parse(lines.join('\r\n'));
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
    maxPacketMs: readLimit(media.maxptime ?? session.maxptime),
    crypto: readCrypto(media),
  };
}

function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function readLimit(milliseconds: unknown): number | null {
  return typeof milliseconds === 'number' && milliseconds > 0 ? milliseconds : null;
}

function isPort(port: unknown): port is number {
  return typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535;
}

/** RFC 3264 section 5.1: "the formats in the "m=" line MUST be listed in order of preference". */
function readFormats(media: LooseMedia): Format[] {
  return word(media.payloads)
    .split(' ')
    .filter((text) => /^\d{1,3}$/.test(text) && Number(text) <= 127)
    .flatMap((text) => readFormat(Number(text), media) ?? []);
}

function readFormat(payloadType: number, media: LooseMedia): Format | null {
  const map = media.rtp?.find((entry) => entry.payload === payloadType);
  if (!map) return STATIC_FORMATS.find((format) => format.payloadType === payloadType) ?? null;
  const parameters = word(media.fmtp?.find((entry) => entry.payload === payloadType)?.config);
  return {
    payloadType,
    encoding: word(map.codec).toUpperCase(),
    clockRateHz: Number(map.rate ?? 8000),
    ...(map.encoding === undefined ? {} : { channels: Number(map.encoding) }),
    ...(parameters === '' ? {} : { parameters }),
  };
}

function readCrypto({ crypto = [] }: LooseMedia): CryptoLine[] {
  return crypto.flatMap(({ id, suite, config }) => {
    const key = readInlineKey(word(config));
    return isSuite(suite) && key !== null ? [{ tag: Number(id), suite, key }] : [];
  });
}

function readDirection(direction: unknown): Direction {
  return DIRECTIONS.includes(direction) ? (direction as Direction) : 'sendrecv';
}

/** Accepts addresses only: resolving a host name would delay the media, and no known peer sends one. */
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
  /** The keys that we offer or answer with; only for `RTP/SAVP`. */
  crypto?: readonly CryptoLine[];
}

/** When the session begins and ends, seconds since 1900; 0: not limited. */
export interface Timing {
  start: number;
  stop: number;
}

export const UNLIMITED: Timing = { start: 0, stop: 0 };
const TIMING = /^t=(\d{1,12}) (\d{1,12})\r?$/m;

/** RFC 3264 section 6: "The "t=" line in the answer MUST equal the one in the offer. The time of the session cannot be negotiated." */
export function timingOf(offer: string): Timing {
  const [, start, stop] = TIMING.exec(offer) ?? [];
  return start === undefined ? UNLIMITED : { start: Number(start), stop: Number(stop) };
}

/** The content of the `o=` and `c=` lines. */
export interface Origin {
  host: string;
  sessionId: number;
  /** Incremented with every change of the description (RFC 3264 section 8). */
  version: number;
  /** The content of `t=`. */
  timing: Timing;
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
    timing: origin.timing,
    media: sections.map(writeSection),
  });
}

const WRITTEN_NAMES: Readonly<Record<string, string>> = {
  'TELEPHONE-EVENT': 'telephone-event',
  OPUS: 'opus',
};

function writeSection(section: SectionToWrite): sdpTransform.MediaDescription {
  const { type, port, protocol, payloads } = section;
  if (port === 0) return { type, port, protocol, payloads, rtp: [], fmtp: [] };
  return {
    type,
    port,
    protocol,
    payloads,
    rtp: section.formats.map((format) => ({
      payload: format.payloadType,
      codec: WRITTEN_NAMES[format.encoding] ?? format.encoding,
      rate: format.clockRateHz,
      ...(format.encoding === 'OPUS' ? { encoding: 2 } : {}),
    })),
    fmtp: section.formats.flatMap((format) => {
      const config = parametersToWrite(format);
      return config === null ? [] : [{ payload: format.payloadType, config }];
    }),
    ...(section.crypto
      ? { crypto: section.crypto.map(({ tag, suite, key }) => ({ id: tag, suite, config: `inline:${key}` })) }
      : {}),
    ptime: 20,
    direction: section.direction,
  };
}
