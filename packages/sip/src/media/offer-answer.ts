/**
 * Offer and answer (RFC 3264) for one audio stream with one of several codecs, and telephone-event. Every other stream is
 * rejected as section 6 requires: "To reject an offered stream, the port number in the corresponding stream in the answer
 * MUST be set to zero."
 */
import { isIP } from 'node:net';
import { SipParseError } from '../message/parse-error.ts';
import type { CryptoLine, MediaEncryption } from './crypto-line.ts';
import {
  chooseEvents,
  chooseFormat,
  codecOf,
  formatsToOffer,
  maxBitrateOf,
  receivedFormats,
  USUAL_CODECS,
  type Codec,
  type CodecChoice,
  type ReceivedFormat,
} from './codecs.ts';
import type { Format } from './formats.ts';
import { parseSdp, writeSdp } from './sdp.ts';
import type { Direction, MediaSection, Origin, SectionToWrite } from './sdp.ts';

/** The agreed media, seen from our side. */
export interface AgreedMedia {
  remoteHost: string;
  remotePort: number;
  codec: Codec;
  /** RTP payload type of the codec. */
  payloadType: number;
  /** Payload type for DTMF events, null if the far end does not support them. */
  telephoneEventPayloadType: number | null;
  /** The clock rate of these events. Absent: 8000. */
  telephoneEventClockRateHz?: number;
  /** The limit of the far end for Opus, bits per second. Absent: none. */
  maxBitrate?: number;
  /** The far end takes packets of 10 ms only. Absent: our usual 20 ms. */
  packetMs?: 10;
  /** Ours: `recvonly` and `inactive` send nothing. */
  direction: Direction;
  /** Absent for plain RTP. */
  encryption?: MediaEncryption;
  /** What the far end may send besides, by the payload types of our offer. Absent: nothing. */
  alsoReceived?: readonly ReceivedFormat[];
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
  /** Offered and accepted in this order. Absent: PCMU and PCMA, accepted in the order of the far end. */
  codecs?: readonly Codec[];
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

/** What packets may have, milliseconds: usually a frame, and half of one for a far end that does not take a whole one. */
const FRAME_MS = 20;
const HALF_FRAME_MS = 10;

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
 * Our offer: our codecs and telephone-event in both directions. RFC 3264 section 8, on a later offer: "if the previous
 * SDP had N "m=" lines, the new SDP MUST have at least N "m=" lines." The streams that were rejected stay rejected.
 */
export function offerSections(
  local: Omit<LocalMedia, 'host'>,
  { before = [], crypto = [] }: { before?: readonly SectionToWrite[]; crypto?: readonly CryptoLine[] } = {},
): SectionToWrite[] {
  const formats = formatsToOffer(local.codecs ?? USUAL_CODECS, local.hasEvents !== false);
  const audio = audioSection(local, { formats, direction: 'sendrecv', crypto });
  if (before.length === 0) return [audio];
  const ours = before.findIndex(isOurs);
  // Section 8.1: a new stream may take the place of one that was disabled.
  return before.with(ours === -1 ? Math.max(0, before.findIndex(isSound)) : ours, audio);
}

/**
 * The answer to a later offer that disables every stream, null for any other offer. RFC 3264 section 8.2: a stream is removed by port
 * zero, and the answer marks it so, too.
 */
export function disabledSections(offerText: string): SectionToWrite[] | null {
  const offered = tryParse(offerText) ?? [];
  if (offered.length === 0 || offered.some(({ port }) => port !== 0)) return null;
  return offered.map(({ crypto: _theirs, ...section }) => ({ ...section, formats: [] }));
}

function isSound({ type }: SectionToWrite): boolean {
  return type === 'audio';
}

/** All other sections of our descriptions are rejected streams. */
function isOurs({ port }: SectionToWrite): boolean {
  return port !== 0;
}

/**
 * Answers an offer with exactly one codec, the best one that both sides support. An IPv4 listener cannot send to
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
  const choice = choiceOf(local);
  const chosen = offered?.find(
    (section) => isReachable(section, local) && agreeOn(section, policy, choice) !== null,
  );
  const plain = chosen ? withoutEvents(agreeOn(chosen, policy, choice), local) : null;
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
  const choice = { allowed: ourCodecs(offered), isOursFirst: false };
  const usable = section ? agreeOn(section, ours ? 'required' : 'none', choice) : null;
  if (!section || !usable) return null;
  const alsoReceived = receivedFormats(offered.find(isOurs)?.formats ?? [], section.formats, usable);
  const agreed = alsoReceived.length === 0 ? usable : { ...usable, alsoReceived };
  if (!ours) return agreed;
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

/**
 * The media that we can agree on for one section of the far end, null if there is none. RFC 8866 section 6.4: `maxptime` is "the
 * maximum amount of media that can be encapsulated in each packet". Less than 10 ms is not possible. A packet of Opus cannot be
 * halved, so that Opus is used with whole frames only.
 */
function agreeOn(section: MediaSection, policy: EncryptionPolicy, choice: CodecChoice): AgreedMedia | null {
  const mostMs = section.maxPacketMs ?? FRAME_MS;
  if (mostMs < HALF_FRAME_MS) return null;
  const isHalved = mostMs < FRAME_MS;
  const allowed = isHalved ? choice.allowed.filter((codec) => codec !== 'opus') : choice.allowed;
  const chosen = chooseFormat(section.formats, { ...choice, allowed });
  const isOfProtocol = section.protocol.toUpperCase() === PROTOCOLS[policy];
  if (section.type !== 'audio' || !isOfProtocol || section.port === 0) return null;
  if (policy === 'required' && section.crypto.length === 0) return null;
  if (!chosen || section.host === null) return null;
  const { codec, format } = chosen;
  const events = chooseEvents(section.formats, codec);
  const maxBitrate = codec === 'opus' ? maxBitrateOf(format) : null;
  return {
    remoteHost: section.host,
    remotePort: section.port,
    codec,
    payloadType: format.payloadType,
    telephoneEventPayloadType: events?.payloadType ?? null,
    ...(events && events.clockRateHz !== 8000 ? { telephoneEventClockRateHz: events.clockRateHz } : {}),
    ...(maxBitrate === null ? {} : { maxBitrate }),
    ...(isHalved ? { packetMs: HALF_FRAME_MS } : {}),
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

/** The codecs of our offer: RFC 3264 section 7 leaves the choice among them to the answer, whose first format counts. */
function ourCodecs(offered: readonly SectionToWrite[]): readonly Codec[] {
  return offered.find(isOurs)?.formats.flatMap((format) => codecOf(format) ?? []) ?? USUAL_CODECS;
}

/**
 * RFC 3264 section 6.1: "Although the answerer MAY list the formats in their desired order of preference, it is RECOMMENDED that
 * unless there is a specific reason, the answerer list formats in the same relative order they were present in the offer." A
 * setting is such a reason.
 */
function choiceOf({ codecs }: LocalMedia): CodecChoice {
  return { allowed: codecs ?? USUAL_CODECS, isOursFirst: codecs !== undefined };
}

/**
 * Whether a session description offers audio with one of those codecs.
 *
 * @throws SipParseError when the text is not one
 */
export function isAudioUsable(description: string, codecs: readonly Codec[] = USUAL_CODECS): boolean {
  const choice = { allowed: codecs, isOursFirst: false };
  return parseSdp(description).some(
    ({ type, formats }) => type === 'audio' && chooseFormat(formats, choice) !== null,
  );
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
