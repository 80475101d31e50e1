/**
 * The codecs that we can agree on, and how they stand in SDP: G.711 and G.722 (RFC 3551), Opus (RFC 7587), and the payload for
 * keys beside them (RFC 4733).
 */
import type { Format } from './formats.ts';

/** In the spelling of SDP. */
export type Codec = 'PCMU' | 'PCMA' | 'G722' | 'opus';

/** All of them. */
export const CODECS: readonly Codec[] = ['PCMU', 'PCMA', 'G722', 'opus'];
/** What is offered and accepted without a setting. */
export const USUAL_CODECS: readonly Codec[] = ['PCMU', 'PCMA'];

/**
 * What we offer. G722: RFC 3551 section 4.5.2: "Even though the actual sampling rate for G.722 audio is 16,000 Hz, the RTP clock
 * rate for the G722 payload format is 8,000 Hz because that value was erroneously assigned in RFC 1890". Opus: RFC 7587
 * section 7: "The media subtype ("opus") [...] The RTP clock rate in "a=rtpmap" MUST be 48000, and the number of channels MUST
 * be 2." The dynamic payload types are those that most peers use.
 */
const FORMATS: Readonly<Record<Codec, Format>> = {
  PCMU: { payloadType: 0, encoding: 'PCMU', clockRateHz: 8000 },
  PCMA: { payloadType: 8, encoding: 'PCMA', clockRateHz: 8000 },
  G722: { payloadType: 9, encoding: 'G722', clockRateHz: 8000 },
  opus: { payloadType: 111, encoding: 'OPUS', clockRateHz: 48_000 },
};
const EVENTS: Format = { payloadType: 101, encoding: 'TELEPHONE-EVENT', clockRateHz: 8000 };
/** RFC 4733 section 2.1: events have the clock rate of the audio that they replace. */
const EVENTS_BESIDE_OPUS: Format = { ...EVENTS, payloadType: 110, clockRateHz: 48_000 };

/** The limits of `maxaveragebitrate` (RFC 7587 section 6.1). */
const LOWEST_BITRATE = 6000;
const HIGHEST_BITRATE = 510_000;

/** The formats of our offer, in order of preference. */
export function formatsToOffer(codecs: readonly Codec[], hasEvents: boolean): Format[] {
  const events = [
    ...(codecs.some((codec) => codec !== 'opus') ? [EVENTS] : []),
    ...(codecs.includes('opus') ? [EVENTS_BESIDE_OPUS] : []),
  ];
  return [...codecs.map((codec) => FORMATS[codec]), ...(hasEvents ? events : [])];
}

/** Which codec a format is; null for one that we do not support. */
export function codecOf({ encoding, clockRateHz, channels = 1 }: Format): Codec | null {
  const codec = CODECS.find((name) => FORMATS[name].encoding === encoding);
  if (codec === undefined || clockRateHz !== FORMATS[codec].clockRateHz) return null;
  // Some peers leave the channels of Opus out; the codec is the same.
  return channels === 1 || codec === 'opus' ? codec : null;
}

/** Which codecs we accept, and whether our order decides among them or that of the far end. */
export interface CodecChoice {
  allowed: readonly Codec[];
  isOursFirst: boolean;
}

/** The format of the far end that is used, and its codec. */
export function chooseFormat(
  formats: readonly Format[],
  { allowed, isOursFirst }: CodecChoice,
): { codec: Codec; format: Format } | null {
  const usable = formats.flatMap((format) => {
    const codec = codecOf(format);
    return codec !== null && allowed.includes(codec) ? [{ codec, format }] : [];
  });
  const rank = ({ codec }: { codec: Codec }): number => allowed.indexOf(codec);
  return (isOursFirst ? usable.toSorted((a, b) => rank(a) - rank(b)) : usable)[0] ?? null;
}

/**
 * The format for keys beside a codec: that of its clock rate. Beside Opus some peers offer events of 8000 Hz only, against
 * RFC 4733; these are used, because compressed tones are less reliable.
 */
export function chooseEvents(formats: readonly Format[], codec: Codec): Format | null {
  const events = formats.filter(({ encoding }) => encoding === 'TELEPHONE-EVENT');
  const ofRate = (rateHz: number) => events.find(({ clockRateHz }) => clockRateHz === rateHz);
  return ofRate(FORMATS[codec].clockRateHz) ?? ofRate(EVENTS.clockRateHz) ?? null;
}

/** A payload type of received packets; `events` are keys, in the clock of the agreed events. */
export interface ReceivedFormat {
  payloadType: number;
  content: Codec | 'events';
}

/** What the answer to our offer agrees on. */
interface AgreedFormats {
  codec: Codec;
  payloadType: number;
  telephoneEventPayloadType: number | null;
  telephoneEventClockRateHz?: number;
}

/**
 * What the far end may send besides the agreed formats. RFC 3264 section 5.1: of a `sendrecv` stream, the payload types of our offer
 * count for what we receive, and those of the answer for what we send. Section 7: the far end may send each codec that it has
 * accepted. Section 5.1: "the answerer MAY change formats in the middle of the session, making use of any of the formats listed". Opus
 * is left out beside another codec: the far end then prefers the other one, and Opus needs its library.
 */
export function receivedFormats(
  offered: readonly Format[],
  answered: readonly Format[],
  agreed: AgreedFormats,
): ReceivedFormat[] {
  const { telephoneEventPayloadType: events, telephoneEventClockRateHz: eventRateHz = 8000 } = agreed;
  const isAccepted = (codec: Codec): boolean =>
    (codec !== 'opus' || agreed.codec === 'opus') && answered.some((format) => codecOf(format) === codec);
  return offered.flatMap((format): ReceivedFormat[] => {
    const { payloadType, encoding, clockRateHz } = format;
    const codec = codecOf(format);
    const isAgreed = codec === agreed.codec && payloadType === agreed.payloadType;
    if (codec !== null) return isAccepted(codec) && !isAgreed ? [{ payloadType, content: codec }] : [];
    const isEvents = encoding === 'TELEPHONE-EVENT' && clockRateHz === eventRateHz;
    return isEvents && events !== null && payloadType !== events ? [{ payloadType, content: 'events' }] : [];
  });
}

/** `maxaveragebitrate` of Opus: the bits per second that the far end wants to receive; null without a valid one. */
export function maxBitrateOf({ parameters = '' }: Format): number | null {
  for (const parameter of parameters.split(';')) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() !== 'maxaveragebitrate' || !/^\d{1,7}$/.test(value.trim())) continue;
    const bitrate = Number(value);
    if (bitrate >= LOWEST_BITRATE && bitrate <= HIGHEST_BITRATE) return bitrate;
  }
  return null;
}
