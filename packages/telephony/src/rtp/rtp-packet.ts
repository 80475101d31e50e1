/**
 * The binary form of RTP packets (RFC 3550 section 5.1). All fields are in network byte order.
 *
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +---+-+-+-------+-+-------------+-------------------------------+
 *   |V=2|P|X|  CC   |M|     PT      |       sequence number         |
 *   +---+-+-+-------+-+-------------+-------------------------------+
 *   |                           timestamp                           |
 *   +---------------------------------------------------------------+
 *   |           synchronization source (SSRC) identifier            |
 *   +===============================================================+
 *   |   CC contributing sources, 4 bytes each                       |
 *   |   if X: 16 bits of profile, 16 bits of length in words, words |
 *   |   payload, if P followed by padding whose last byte counts it |
 *   +---------------------------------------------------------------+
 */

/** Length of a header without contributing sources and extension; we send no other. */
export const RTP_HEADER_BYTES = 12;

/** The header fields that we use. */
export interface RtpHeader {
  payloadType: number;
  /** The marker bit: first packet of a talkspurt or of an event. */
  hasMarker: boolean;
  /** 16 bits, wraps. */
  sequence: number;
  /** 32 bits, wraps; counts samples. */
  timestamp: number;
  ssrc: number;
}

/** A received packet. */
export interface RtpPacket extends RtpHeader {
  /** A view into the datagram, without extension and padding. */
  payload: Uint8Array;
}

/** Parses a datagram; `null` when it is not an RTP packet of version 2 or its lengths are inconsistent. */
export function parseRtp(datagram: Uint8Array): RtpPacket | null {
  if (datagram.length < RTP_HEADER_BYTES) return null;
  const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength);
  const first = view.getUint8(0);
  if (first >> 6 !== 2) return null;
  const start = payloadStart(view, first);
  const end = datagram.length - (first & 0x20 ? view.getUint8(datagram.length - 1) : 0);
  if (start === null || start > end) return null;
  return {
    hasMarker: (view.getUint8(1) & 0x80) !== 0,
    payloadType: view.getUint8(1) & 0x7f,
    sequence: view.getUint16(2),
    timestamp: view.getUint32(4),
    ssrc: view.getUint32(8),
    payload: datagram.subarray(start, end),
  };
}

function payloadStart(view: DataView, first: number): number | null {
  const afterSources = RTP_HEADER_BYTES + 4 * (first & 0x0f);
  if (!(first & 0x10)) return afterSources;
  if (afterSources + 4 > view.byteLength) return null;
  return afterSources + 4 + 4 * view.getUint16(afterSources + 2);
}

/** Writes the header into the first {@link RTP_HEADER_BYTES} bytes. */
export function writeRtpHeader(output: DataView, header: RtpHeader): void {
  output.setUint8(0, 0x80);
  output.setUint8(1, (header.hasMarker ? 0x80 : 0) | header.payloadType);
  output.setUint16(2, header.sequence);
  output.setUint32(4, header.timestamp);
  output.setUint32(8, header.ssrc);
}

/** The distance from 16-bit sequence number `b` to `a`, with wraparound: -32 768 to 32 767. */
export function sequenceDistance(a: number, b: number): number {
  return ((a - b) << 16) >> 16;
}

/** The distance from 32-bit timestamp `b` to `a`, with wraparound. */
export function timestampDistance(a: number, b: number): number {
  return (a - b) | 0;
}
