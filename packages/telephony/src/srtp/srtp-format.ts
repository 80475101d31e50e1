/** Lengths in the packets of SRTP and SRTCP (RFC 3711 sections 3.1 and 3.4). */
import type { CryptoSuite } from '@parley/sip';

/** Without contributing sources and extension. */
export const RTP_HEADER_BYTES = 12;
/** The part of SRTCP that is not encrypted. */
export const RTCP_HEADER_BYTES = 8;
/** RFC 4568 section 6.2.2: also with the suite of 32 bits, "the SRTCP authentication tag length is 80 bits". */
export const RTCP_TAG_BYTES = 10;

/** The length of the authentication tag of an RTP packet. */
export function rtpTagBytes(suite: CryptoSuite): number {
  return suite === 'AES_CM_128_HMAC_SHA1_32' ? 4 : 10;
}
