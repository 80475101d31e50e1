/**
 * Offer and answer (RFC 3264) for one audio stream: G.711 (mu-law and A-law) and telephone-event. Every other stream is
 * rejected as section 6 requires: "To reject an offered stream, the port number in the corresponding stream in the answer
 * MUST be set to zero."
 */
import { isIP } from 'node:net';
import { SipParseError } from '../message/parse-error.ts';
import type { CryptoLine, MediaEncryption } from './crypto-line.ts';
import { parseSdp, writeSdp } from './sdp.ts';
import type { Direction, Format, MediaSection, Origin, SectionToWrite } from './sdp.ts';

export type Codec = 'PCMU' | 'PCMA';

/** The agreed media, seen from our side. */
export interface AgreedMedia {
  remoteHost: string;
  remotePort: number;
  codec: Codec;
  /** RTP payload type of the codec. */
  payloadType: number;
  /** Payload type for DTMF events, null if the far end does not support them. */
  telephoneEventPayloadType: number | null;
  /** Ours: `recvonly` and `inactive` send nothing. */
  direction: Direction;
  /** Absent for plain RTP. */
  encryption?: MediaEncryption;
}

/**
 * Whether RTP is encrypted: `none` offers and accepts `RTP/AVP` only, `required` offers and accepts `RTP/SAVP` only. Nothing
 * in between: a stream that falls back to plain RTP is as open as one without encryption.
 */
export type EncryptionPolicy = 'none' | 'required';

/** The address of our RTP port. */
export interface LocalMedia {
  host: string;
  port: number;
  /** Whether telephone-event is offered and accepted. Default: true. */
  hasEvents?: boolean;
  /** Default: `none`. */
  encryption?: EncryptionPolicy;
}

/** How an answer gets its own key, from the line that it accepts. */
export type KeySource = (accepted: CryptoLine) => string;

/** The answer and what it means, or why the offer is not acceptable (response 488). */
export type AnswerResult =
  | { isAcceptable: true; sections: SectionToWrite[]; agreed: AgreedMedia }
  | { isAcceptable: false; why: string };

const PCMU: Format = { payloadType: 0, encoding: 'PCMU', clockRateHz: 8000 };
const PCMA: Format = { payloadType: 8, encoding: 'PCMA', clockRateHz: 8000 };
const EVENTS: Format = { payloadType: 101, encoding: 'TELEPHONE-EVENT', clockRateHz: 8000 };
const PROTOCOLS = { none: 'RTP/AVP', required: 'RTP/SAVP' } as const;
/** The hold of RFC 2543: a connection address of zero. RFC 3264 section 8.4 asks us to support it. */
const ZERO_ADDRESSES: readonly string[] = ['0.0.0.0', '::'];
const REVERSED: Readonly<Record<Direction, Direction>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

/**
 * Our offer: PCMU, PCMA and telephone-event in both directions. RFC 3264 section 8, on a later offer: "if the previous
 * SDP had N "m=" lines, the new SDP MUST have at least N "m=" lines." The streams that were rejected stay rejected.
 */
export function offerSections(
  local: Omit<LocalMedia, 'host'>,
  { before = [], crypto = [] }: { before?: readonly SectionToWrite[]; crypto?: readonly CryptoLine[] } = {},
): SectionToWrite[] {
  const formats = local.hasEvents === false ? [PCMU, PCMA] : [PCMU, PCMA, EVENTS];
  const audio = audioSection(local, { formats, direction: 'sendrecv', crypto });
  if (!before.some(isOurs)) return [audio];
  return before.map((section) => (isOurs(section) ? audio : section));
}

/** All other sections of our descriptions are rejected streams. */
function isOurs({ port }: SectionToWrite): boolean {
  return port !== 0;
}

/**
 * Answers an offer with exactly one codec: the first one of the offer that we support. An IPv4 listener cannot send to
 * an IPv6 address. RFC 3261 section 13.3.1.3: "A UAS rejecting an offer contained in an INVITE SHOULD return a 488 (Not
 * Acceptable Here) response."
 */
export function answerOffer(
  offerText: string,
  local: LocalMedia,
  newKey: KeySource = () => '',
): AnswerResult {
  const offered = tryParse(offerText);
  const { encryption: policy = 'none' } = local;
  const chosen = offered?.find((section) => isReachable(section, local) && agreeOn(section, policy) !== null);
  const plain = chosen ? withoutEvents(agreeOn(chosen, policy), local) : null;
  if (!offered || !chosen || !plain) return { isAcceptable: false, why: 'no usable sound was offered' };
  const { agreed, crypto } =
    policy === 'none' ? { agreed: plain, crypto: [] } : encrypt(plain, chosen, newKey);
  const { direction } = agreed;
  const sections = offered.map(({ crypto: _theirs, ...section }, index) =>
    offered[index] === chosen
      ? audioSection(local, { formats: formatsOf(chosen, agreed), direction, crypto })
      : { ...section, port: 0, formats: [] },
  );
  return { isAcceptable: true, sections, agreed };
}

/** RFC 4568 section 5.1.2: the answer has one line, with the tag and suite of the accepted one, and our own key. */
function encrypt(
  agreed: AgreedMedia,
  { crypto: [accepted] }: MediaSection,
  newKey: KeySource,
): { agreed: AgreedMedia; crypto: CryptoLine[] } {
  if (!accepted) return { agreed, crypto: [] };
  const { suite, key: remoteKey } = accepted;
  const localKey = newKey(accepted);
  return {
    agreed: { ...agreed, encryption: { suite, localKey, remoteKey } },
    crypto: [{ ...accepted, key: localKey }],
  };
}

/**
 * The media that the answer to our offer agrees on, null if it accepts no stream. RFC 3264 section 6: the answer
 * has the same number of "m=" lines as the offer, and "This allows for streams to be matched up based on their order."
 */
export function readAnswer(answerText: string, offered: readonly SectionToWrite[] = []): AgreedMedia | null {
  const section = tryParse(answerText)?.[Math.max(0, offered.findIndex(isOurs))];
  const ours = offered.find(isOurs)?.crypto;
  const agreed = section ? agreeOn(section, ours ? 'required' : 'none') : null;
  if (!section || !agreed || !ours) return agreed;
  const [theirs] = section.crypto;
  const accepted = ours.find(({ tag, suite }) => tag === theirs?.tag && suite === theirs.suite);
  if (!theirs || !accepted) return null;
  const { suite, key: localKey } = accepted;
  return { ...agreed, encryption: { suite, localKey, remoteKey: theirs.key } };
}

/** Writes sections under our origin. */
export function describe(
  local: LocalMedia,
  origin: Omit<Origin, 'host'>,
  sections: readonly SectionToWrite[],
): string {
  return writeSdp({ ...origin, host: local.host }, sections);
}

function isReachable({ host }: MediaSection, local: LocalMedia): boolean {
  return host !== null && !(isIP(host) === 6 && isIP(local.host) === 4);
}

/** The media that we can agree on for one section of the far end, null if there is none. */
function agreeOn(section: MediaSection, policy: EncryptionPolicy): AgreedMedia | null {
  const codec = section.formats.find(isSupportedCodec);
  const isOfProtocol = section.protocol.toUpperCase() === PROTOCOLS[policy];
  if (section.type !== 'audio' || !isOfProtocol || section.port === 0) return null;
  if (policy === 'required' && section.crypto.length === 0) return null;
  if (!codec || section.host === null) return null;
  return {
    remoteHost: section.host,
    remotePort: section.port,
    codec: codec.encoding === 'PCMA' ? 'PCMA' : 'PCMU',
    payloadType: codec.payloadType,
    telephoneEventPayloadType: section.formats.find(isEvents)?.payloadType ?? null,
    direction: ZERO_ADDRESSES.includes(section.host)
      ? onHold(section.direction)
      : REVERSED[section.direction],
  };
}

function withoutEvents(agreed: AgreedMedia | null, { hasEvents = true }: LocalMedia): AgreedMedia | null {
  return agreed && !hasEvents ? { ...agreed, telephoneEventPayloadType: null } : agreed;
}

function onHold(theirs: Direction): Direction {
  return theirs === 'sendonly' || theirs === 'sendrecv' ? 'recvonly' : 'inactive';
}

function isSupportedCodec(format: Format): boolean {
  return (format.encoding === 'PCMU' || format.encoding === 'PCMA') && format.clockRateHz === 8000;
}

/** Whether a session description offers audio that we can agree on. @throws SipParseError when the text is not one */
export function isAudioUsable(description: string): boolean {
  return parseSdp(description).some(
    ({ type, formats }) => type === 'audio' && formats.some(isSupportedCodec),
  );
}

function isEvents(format: Format): boolean {
  return format.encoding === 'TELEPHONE-EVENT' && format.clockRateHz === 8000;
}

/** RFC 3264 section 6.1: "that same payload type number SHOULD be used for that codec in the answer." */
function formatsOf(section: MediaSection, agreed: AgreedMedia): Format[] {
  return section.formats.filter(
    (format) =>
      format.payloadType === agreed.payloadType || format.payloadType === agreed.telephoneEventPayloadType,
  );
}

function audioSection(
  { port, encryption = 'none' }: Omit<LocalMedia, 'host'>,
  { crypto, ...content }: Pick<SectionToWrite, 'formats' | 'direction'> & { crypto: readonly CryptoLine[] },
): SectionToWrite {
  const payloads = content.formats.map((format) => format.payloadType).join(' ');
  const section = { type: 'audio', port, protocol: PROTOCOLS[encryption], payloads, ...content };
  return encryption === 'none' ? section : { ...section, crypto };
}

function tryParse(text: string): MediaSection[] | null {
  try {
    return parseSdp(text);
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}
