/**
 * The media target of a call: what offer and answer agreed on, corrected by what the signalling shows about the far end.
 */
import { isForbiddenAddress } from '@parley/runtime';
import type { AgreedMedia } from '@parley/sip';
import type { MediaTarget } from '../media-factory.ts';

/**
 * A far end with a public signalling address and a private address in its SDP is behind NAT, or tries to make us send audio into
 * our own network. Its audio goes to the signalling address instead.
 */
export function toMediaTarget(agreed: AgreedMedia, signallingHost: string | null): MediaTarget {
  if (signallingHost === null) return agreed;
  const isPeerPublic = !isForbiddenAddress(signallingHost, 'none');
  const isBehindNat = isPeerPublic && isForbiddenAddress(agreed.remoteHost, 'none');
  return { ...agreed, remoteHost: isBehindNat ? signallingHost : agreed.remoteHost, signallingHost };
}
