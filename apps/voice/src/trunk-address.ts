/** A trunk of core in the words of telephony. */
import type { TrunkAccess } from '@parley/core';
import type { TrunkAddress } from '@parley/telephony';

/** Where and how the carrier takes our calls. */
export function trunkAddress(trunk: TrunkAccess): TrunkAddress {
  const { host, port, transport, username, password, isOperators } = trunk;
  return {
    host,
    port,
    transport,
    isTrusted: isOperators,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
  };
}
