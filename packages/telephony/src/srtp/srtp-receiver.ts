/**
 * Verifies and decrypts what the far end sends: SRTP (RFC 3711 section 3.3) and SRTCP (section 3.4). A packet that is not
 * authentic changes nothing here, so that strangers can neither move a call nor disturb its counters.
 */
import { timingSafeEqual } from 'node:crypto';
import type { CryptoSuite } from '@parley/sip';
import { LONGEST_PAYLOAD_BYTES, PacketCipher } from './packet-cipher.ts';
import { ReplayWindow } from './replay-window.ts';
import { deriveSessionKeys } from './session-keys.ts';
import { RTCP_HEADER_BYTES, RTCP_TAG_BYTES, RTP_HEADER_BYTES, rtpTagBytes } from './srtp-format.ts';

/**
 * Sources (SSRC) with one key. A call has one, and another one after a restart of the gateway. The replay list of none is ever
 * forgotten, so that further ones are refused until there is a new key.
 */
const MAX_SOURCES = 16;
const HALF = 0x80_00;
const ROUND = 0x1_00_00;
const HIGHEST_ROLLOVER = 0xff_ff_ff_ff;

/** One master key of the far end. */
export class SrtpReceiver {
  readonly #rtp: PacketCipher;
  readonly #rtcp: PacketCipher;
  readonly #tagBytes: number;
  readonly #rtpSources = new Map<number, ReplayWindow>();
  readonly #rtcpSources = new Map<number, ReplayWindow>();
  /** The highest index of each source under the key before. */
  readonly #before: ReadonlyMap<number, number>;

  /**
   * @param before - of the key that this one replaces. RFC 3711 section 3.3.1: after re-keying, the rollover counter "MUST NOT be reset
   *   to zero"; many far ends do so all the same, as RFC 4568 section 7.1.4 lets them.
   * @throws RangeError for a key of another length
   */
  constructor(suite: CryptoSuite, master: Uint8Array, before: SrtpReceiver | null = null) {
    this.#before = before ? before.#highestBySource() : new Map();
    this.#rtp = new PacketCipher(deriveSessionKeys(master, 'rtp'));
    this.#rtcp = new PacketCipher(deriveSessionKeys(master, 'rtcp'));
    this.#tagBytes = rtpTagBytes(suite);
  }

  /** The RTP packet, decrypted in place; null when it is not authentic, or a replay. */
  openRtp(datagram: Uint8Array): Uint8Array | null {
    const end = datagram.length - this.#tagBytes;
    const start = headerBytes(datagram);
    if (start === null || start > end || end - start > LONGEST_PAYLOAD_BYTES) return null;
    const view = viewOf(datagram);
    const ssrc = view.getUint32(8);
    const window = windowOf(this.#rtpSources, ssrc);
    if (!window) return null;
    const packet = datagram.subarray(0, end);
    const index = this.#candidates(window, ssrc, view.getUint16(2)).find((candidate) => {
      const tag = this.#rtp.authenticate(packet, Math.floor(candidate / ROUND));
      return timingSafeEqual(tag.subarray(0, this.#tagBytes), datagram.subarray(end));
    });
    if (index === undefined) return null;
    window.take(index);
    this.#rtpSources.set(ssrc, window);
    this.#rtp.apply(packet.subarray(start), ssrc, index);
    return packet;
  }

  /** The indices that a packet may have. The first packet of a source may continue the rounds that it had under the key before. */
  #candidates(window: ReplayWindow, ssrc: number, sequence: number): number[] {
    const before = window.highest < 0 ? this.#before.get(ssrc) : undefined;
    const estimates = [window.highest, ...(before === undefined ? [] : [before])].map((highest) =>
      estimateIndex(highest, sequence),
    );
    return estimates.filter((index) => index !== null).filter((index) => window.isNew(index));
  }

  #highestBySource(): ReadonlyMap<number, number> {
    const here = [...this.#rtpSources].map(([ssrc, { highest }]) => [ssrc, highest] as const);
    return new Map([...this.#before, ...here].slice(-MAX_SOURCES));
  }

  /** The compound packet, decrypted in place; null when it is not authentic, or a replay. */
  openRtcp(datagram: Uint8Array): Uint8Array | null {
    const end = datagram.length - RTCP_TAG_BYTES - 4;
    if (end < RTCP_HEADER_BYTES || end > LONGEST_PAYLOAD_BYTES) return null;
    const view = viewOf(datagram);
    const [ssrc, trailer] = [view.getUint32(4), view.getUint32(end)];
    const index = trailer & 0x7f_ff_ff_ff;
    const window = windowOf(this.#rtcpSources, ssrc);
    if (!window?.isNew(index)) return null;
    const packet = datagram.subarray(0, end);
    const tag = this.#rtcp.authenticate(packet, trailer);
    if (!timingSafeEqual(tag.subarray(0, RTCP_TAG_BYTES), datagram.subarray(end + 4))) return null;
    window.take(index);
    this.#rtcpSources.set(ssrc, window);
    // Section 3.4: "The E-flag indicates if the current SRTCP packet is encrypted or unencrypted."
    if (trailer >>> 31 === 1) this.#rtcp.apply(packet.subarray(RTCP_HEADER_BYTES), ssrc, index);
    return packet;
  }
}

/** Null when there are too many sources. A new one is only kept once a packet of it is authentic. */
function windowOf(sources: Map<number, ReplayWindow>, ssrc: number): ReplayWindow | null {
  const known = sources.get(ssrc);
  if (known) return known;
  return sources.size < MAX_SOURCES ? new ReplayWindow() : null;
}

/**
 * The 48-bit index of a packet from its 16-bit sequence number and the highest index so far (RFC 3711 section 3.3.1 and
 * appendix A): of the rounds beside and at that one, the one in which the number is nearest.
 *
 * @param highest - -1 before the first packet
 * @returns null when it would be before the first round or after the last one
 */
export function estimateIndex(highest: number, sequence: number): number | null {
  if (highest < 0) return sequence;
  const rollover = Math.floor(highest / ROUND);
  const last = highest % ROUND;
  const distance = sequence - last;
  const step = distance > HALF ? -1 : distance < -HALF ? 1 : 0;
  const guessed = rollover + step;
  return guessed < 0 || guessed > HIGHEST_ROLLOVER ? null : guessed * ROUND + sequence;
}

/** The length of the RTP header with contributing sources and extension, which is not encrypted; null: malformed. */
function headerBytes(datagram: Uint8Array): number | null {
  if (datagram.length < RTP_HEADER_BYTES) return null;
  const view = viewOf(datagram);
  const first = view.getUint8(0);
  const afterSources = RTP_HEADER_BYTES + 4 * (first & 0x0f);
  if (first >> 6 !== 2) return null;
  if (!(first & 0x10)) return afterSources;
  return afterSources + 4 > datagram.length ? null : afterSources + 4 + 4 * view.getUint16(afterSources + 2);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
