/**
 * Offer and answer (RFC 3264) for one sound stream: G.711 in either law and telephone-event. Everything else that is
 * offered is refused with port 0, as the RFC demands, and never by failing the call.
 */
import { SipParseError } from '../message/parse-error.ts';
import { parseSdp, writeSdp } from './sdp.ts';
import type { Direction, Format, MediaSection, Origin, SectionToWrite } from './sdp.ts';

export type Codec = 'PCMU' | 'PCMA';

/** What both sides agreed on, seen from us. */
export interface AgreedMedia {
  remoteHost: string;
  remotePort: number;
  codec: Codec;
  /** RTP payload type of the codec. */
  payloadType: number;
  /** What the far end takes keys on, null if it takes none. */
  telephoneEventPayloadType: number | null;
  /** Ours: `recvonly` and `inactive` send nothing. */
  direction: Direction;
}

/** Our end of the sound. */
export interface LocalMedia {
  host: string;
  port: number;
}

/** The answer we give and what it means, or why no answer can be given (response 488). */
export type AnswerResult =
  | { isAcceptable: true; sections: SectionToWrite[]; agreed: AgreedMedia }
  | { isAcceptable: false; why: string };

const PCMU: Format = { payloadType: 0, encoding: 'PCMU', clockRateHz: 8000 };
const PCMA: Format = { payloadType: 8, encoding: 'PCMA', clockRateHz: 8000 };
const EVENTS: Format = { payloadType: 101, encoding: 'TELEPHONE-EVENT', clockRateHz: 8000 };
const PROTOCOL = 'RTP/AVP';
/** The hold of RFC 2543: sound to nowhere. */
const NOWHERE: readonly string[] = ['0.0.0.0', '::'];
const REVERSED: Readonly<Record<Direction, Direction>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

/** What we offer: both laws and keys, both ways. */
export function offerSections(port: number): SectionToWrite[] {
  return [audioSection(port, [PCMU, PCMA, EVENTS], 'sendrecv')];
}

/** Answers an offer with exactly one codec, the first of the offer that we speak. */
export function answerOffer(offerText: string, localPort: number): AnswerResult {
  const offered = tryParse(offerText);
  const chosen = offered?.find((section) => agreeOn(section) !== null);
  const agreed = chosen ? agreeOn(chosen) : null;
  if (!offered || !chosen || !agreed) return { isAcceptable: false, why: 'no usable sound was offered' };
  const sections = offered.map((section) =>
    section === chosen
      ? audioSection(localPort, formatsOf(section, agreed), agreed.direction)
      : { ...section, port: 0, formats: [] },
  );
  return { isAcceptable: true, sections, agreed };
}

/** What the answer to our own offer means, null if it leaves no sound to speak of. */
export function readAnswer(answerText: string): AgreedMedia | null {
  const [section] = tryParse(answerText) ?? [];
  return section ? agreeOn(section) : null;
}

/** Writes sections under our origin. */
export function describe(
  local: LocalMedia,
  origin: Omit<Origin, 'host'>,
  sections: SectionToWrite[],
): string {
  return writeSdp({ ...origin, host: local.host }, sections);
}

/** Reads one section of the far end; null if it is no sound we can exchange. */
function agreeOn(section: MediaSection): AgreedMedia | null {
  const codec = section.formats.find(isSpoken);
  if (section.type !== 'audio' || section.protocol.toUpperCase() !== PROTOCOL || section.port === 0)
    return null;
  if (!codec || section.host === null) return null;
  return {
    remoteHost: section.host,
    remotePort: section.port,
    codec: codec.encoding === 'PCMA' ? 'PCMA' : 'PCMU',
    payloadType: codec.payloadType,
    telephoneEventPayloadType: section.formats.find(isEvents)?.payloadType ?? null,
    direction: NOWHERE.includes(section.host) ? onHold(section.direction) : REVERSED[section.direction],
  };
}

function onHold(theirs: Direction): Direction {
  return theirs === 'sendonly' || theirs === 'sendrecv' ? 'recvonly' : 'inactive';
}

function isSpoken(format: Format): boolean {
  return (format.encoding === 'PCMU' || format.encoding === 'PCMA') && format.clockRateHz === 8000;
}

function isEvents(format: Format): boolean {
  return format.encoding === 'TELEPHONE-EVENT' && format.clockRateHz === 8000;
}

/** The answer keeps the offer's payload types, so that both directions use the same numbers. */
function formatsOf(section: MediaSection, agreed: AgreedMedia): Format[] {
  return section.formats.filter(
    (format) =>
      format.payloadType === agreed.payloadType || format.payloadType === agreed.telephoneEventPayloadType,
  );
}

function audioSection(port: number, formats: readonly Format[], direction: Direction): SectionToWrite {
  const payloads = formats.map((format) => format.payloadType).join(' ');
  return { type: 'audio', port, protocol: PROTOCOL, payloads, formats, direction };
}

function tryParse(text: string): MediaSection[] | null {
  try {
    return parseSdp(text);
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}
