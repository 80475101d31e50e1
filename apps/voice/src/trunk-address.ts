/** A trunk of core in the words of telephony. */
import type { TrunkAccess } from '@parley/core';
import type { TrunkAddress } from '@parley/telephony';

/** The limit of calls on this trunk; absent: the default. */
export function silenceLimit(trunk: TrunkAccess | null): { silenceLimitMs?: number } {
  const seconds = trunk?.rtpTimeoutSeconds ?? null;
  return seconds === null ? {} : { silenceLimitMs: seconds * 1000 };
}

/** Where and how the carrier takes our calls. */
export function trunkAddress(trunk: TrunkAccess): TrunkAddress {
  const { host, port, transport, username, password, isOperators } = trunk;
  return {
    host,
    port,
    transport,
    isTrusted: isOperators,
    ...silenceLimit(trunk),
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
  };
}
