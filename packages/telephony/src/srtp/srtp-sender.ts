/** Encrypts what we send: SRTP (RFC 3711 section 3.1) and SRTCP (section 3.4). */
import type { CryptoSuite } from '@parley/sip';
import { LONGEST_PAYLOAD_BYTES, PacketCipher } from './packet-cipher.ts';
import { deriveSessionKeys } from './session-keys.ts';
import { RTCP_HEADER_BYTES, RTCP_TAG_BYTES, RTP_HEADER_BYTES, rtpTagBytes } from './srtp-format.ts';

/** Packet buffers in rotation, because a send may still read an earlier buffer while the next packet is written. */
const BUFFER_COUNT = 8;
const BUFFER_BYTES = RTP_HEADER_BYTES + LONGEST_PAYLOAD_BYTES + 32;
/** Section 3.4: the E bit of SRTCP, "encrypted". */
const ENCRYPTED = 0x80_00_00_00;

/** One master key of ours; the packets have to come in their order. */
export class SrtpSender {
  readonly #rtp: PacketCipher;
  readonly #rtcp: PacketCipher;
  readonly #tagBytes: number;
  readonly #buffers = Array.from({ length: BUFFER_COUNT }, () => new Uint8Array(BUFFER_BYTES));
  #next = 0;
  #lastSequence = -1;
  #rollovers = 0;
  #rtcpIndex = 0;

  /** @throws RangeError for a key of another length */
  constructor(suite: CryptoSuite, master: Uint8Array) {
    this.#rtp = new PacketCipher(deriveSessionKeys(master, 'rtp'));
    this.#rtcp = new PacketCipher(deriveSessionKeys(master, 'rtcp'));
    this.#tagBytes = rtpTagBytes(suite);
  }

  /** The encrypted form of a packet with a header of 12 bytes; valid until {@link BUFFER_COUNT} more have been made. */
  protectRtp(packet: Uint8Array): Uint8Array {
    const view = viewOf(packet);
    const sequence = view.getUint16(2);
    if (sequence < this.#lastSequence) this.#rollovers += 1;
    this.#lastSequence = sequence;
    const buffer = this.#bufferWith(packet);
    const payload = buffer.subarray(RTP_HEADER_BYTES, packet.length);
    this.#rtp.apply(payload, view.getUint32(8), this.#rollovers * 0x1_00_00 + sequence);
    const tag = this.#rtp.authenticate(buffer.subarray(0, packet.length), this.#rollovers);
    buffer.set(tag.subarray(0, this.#tagBytes), packet.length);
    return buffer.subarray(0, packet.length + this.#tagBytes);
  }

  /** The encrypted form of a compound packet. */
  protectRtcp(packet: Uint8Array): Uint8Array {
    const ssrc = viewOf(packet).getUint32(4);
    const index = this.#rtcpIndex;
    this.#rtcpIndex += 1;
    const buffer = this.#bufferWith(packet);
    this.#rtcp.apply(buffer.subarray(RTCP_HEADER_BYTES, packet.length), ssrc, index);
    const trailer = (ENCRYPTED | index) >>> 0;
    viewOf(buffer).setUint32(packet.length, trailer);
    const tag = this.#rtcp.authenticate(buffer.subarray(0, packet.length), trailer);
    buffer.set(tag.subarray(0, RTCP_TAG_BYTES), packet.length + 4);
    return buffer.subarray(0, packet.length + 4 + RTCP_TAG_BYTES);
  }

  #bufferWith(packet: Uint8Array): Uint8Array {
    const buffer = this.#buffers[this.#next % BUFFER_COUNT] ?? new Uint8Array(BUFFER_BYTES);
    this.#next += 1;
    buffer.set(packet);
    return buffer;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
