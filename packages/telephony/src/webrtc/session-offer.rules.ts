/**
 * The offer of a browser (RFC 8829) and our answer (RFC 3264), as text. One audio section with Opus is all that we take; a
 * browser always offers it. Candidates of the offer are not read ({@link IceLite}).
 */
import type { Address } from '../rtp/source-latch.ts';

/** Without candidates, the offer of a browser for one audio track has about 3 kB. */
export const LONGEST_OFFER = 16_000;
/** Certificates have one fingerprint for each hash function; browsers send one. */
const MOST_FINGERPRINTS = 4;

/** What we use of an offer. */
export interface SessionOffer {
  /** RFC 8839 section 5.4. */
  usernameFragment: string;
  /**
   * The fingerprints of the browser's certificate (RFC 8122 section 5), normalised: hash function and upper-case
   * hexadecimal pairs.
   */
  fingerprints: { hash: 'sha256' | 'sha384' | 'sha512'; value: string }[];
  /** RFC 5888 section 4. */
  mediaId: string;
  opusPayloadType: number;
}

/** Why an offer cannot be answered: for the log. */
export type OfferFault = 'too-long' | 'sections' | 'multiplexing' | 'ice' | 'fingerprint' | 'role' | 'opus';

const HASHES: Readonly<Record<string, 'sha256' | 'sha384' | 'sha512'>> = {
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
};

/** Reads an offer. Each line is looked at once, whatever the text is. */
export function readOffer(text: string): SessionOffer | OfferFault {
  if (text.length > LONGEST_OFFER) return 'too-long';
  const lines = text.split(/\r?\n/);
  const media = lines.filter((line) => line.startsWith('m='));
  if (media.length !== 1 || !/^m=audio \d{1,5} UDP\/TLS\/RTP\/SAVPF /.test(media[0] ?? '')) return 'sections';
  // RFC 5761 section 5.1.1 and RFC 8858: browsers offer RTP and RTCP on one port only.
  if (!lines.includes('a=rtcp-mux')) return 'multiplexing';
  const usernameFragment = valueOf(lines, 'ice-ufrag');
  if (!/^[A-Za-z0-9+/]{4,256}$/.test(usernameFragment)) return 'ice';
  const fingerprints = fingerprintsOf(lines);
  if (fingerprints.length === 0 || fingerprints.length > MOST_FINGERPRINTS) return 'fingerprint';
  // RFC 8842 section 5.2: we answer `passive`, which an offer of `passive` forbids.
  if (!/^(?:actpass|active)$/.test(valueOf(lines, 'setup'))) return 'role';
  const opusPayloadType = opusOf(lines, media[0] ?? '');
  if (opusPayloadType === null) return 'opus';
  const mediaId = valueOf(lines, 'mid');
  // A token of RFC 4566; browsers write a number. Anything else is not repeated in an answer.
  return /^[A-Za-z0-9._-]{1,32}$/.test(mediaId)
    ? { usernameFragment, fingerprints, mediaId, opusPayloadType }
    : 'sections';
}

/** What our answer contains. */
export interface SessionAnswer {
  offer: SessionOffer;
  usernameFragment: string;
  password: string;
  /** SHA-256 of our certificate, upper-case hexadecimal pairs. */
  fingerprint: string;
  ssrc: number;
  /** Where the browser reaches us, best first. */
  addresses: readonly Address[];
}

/** Writes the answer: lite ICE, passive in DTLS, and mono Opus in packets of 20 ms. */
export function writeAnswer(answer: SessionAnswer): string {
  const { offer, ssrc, addresses } = answer;
  const type = offer.opusPayloadType;
  const lines = [
    'v=0',
    `o=- ${ssrc} 1 IN IP4 0.0.0.0`,
    's=-',
    't=0 0',
    'a=ice-lite',
    `a=group:BUNDLE ${offer.mediaId}`,
    `m=audio 9 UDP/TLS/RTP/SAVPF ${type}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${offer.mediaId}`,
    'a=sendrecv',
    'a=rtcp-mux',
    `a=rtpmap:${type} opus/48000/2`,
    // RFC 7587 section 6.1. Both directions carry 16 kHz; forward error correction repairs single lost packets.
    `a=fmtp:${type} minptime=20;useinbandfec=1;stereo=0;sprop-stereo=0;maxplaybackrate=16000;sprop-maxcapturerate=16000`,
    'a=ptime:20',
    `a=ssrc:${ssrc} cname:${ssrc.toString(16)}`,
    'a=msid:parley parley',
    `a=ice-ufrag:${answer.usernameFragment}`,
    `a=ice-pwd:${answer.password}`,
    `a=fingerprint:sha-256 ${answer.fingerprint}`,
    'a=setup:passive',
    ...addresses.map((address, index) => candidateLine(address, index)),
    'a=end-of-candidates',
    '',
  ];
  return lines.join('\r\n');
}

/** RFC 8839 section 5.1, a host candidate; its priority by RFC 8445 section 5.1.2.1. */
function candidateLine({ host, port }: Address, index: number): string {
  const localPreference = 65_535 - index;
  const priority = 126 * 2 ** 24 + localPreference * 2 ** 8 + 255;
  return `a=candidate:${index + 1} 1 udp ${priority} ${host} ${port} typ host`;
}

function valueOf(lines: string[], attribute: string): string {
  const start = `a=${attribute}:`;
  return lines.find((line) => line.startsWith(start))?.slice(start.length) ?? '';
}

function fingerprintsOf(lines: string[]): SessionOffer['fingerprints'] {
  return lines.flatMap((line) => {
    const match = /^a=fingerprint:([a-z0-9-]{1,16}) ([0-9A-Fa-f:]{1,200})$/.exec(line);
    const hash = HASHES[match?.[1] ?? ''];
    return hash && match?.[2] ? [{ hash, value: match[2].toUpperCase() }] : [];
  });
}

/** The payload type of Opus, where the section lists it (RFC 7587 section 7). */
function opusOf(lines: string[], media: string): number | null {
  for (const line of lines) {
    const type = /^a=rtpmap:(\d{1,3}) opus\/48000\/2$/i.exec(line)?.[1];
    if (type !== undefined && Number(type) < 128 && media.split(' ').slice(3).includes(type))
      return Number(type);
  }
  return null;
}
