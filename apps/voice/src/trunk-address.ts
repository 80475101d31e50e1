/** A trunk of core in the words of telephony. */
import type { TrunkAccess } from '@parley/core';
import type { TrunkAddress } from '@parley/telephony';

/** Where and how the carrier takes our calls. */
export function trunkAddress({ host, port, transport, username, password }: TrunkAccess): TrunkAddress {
  return {
    host,
    port,
    transport,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
  };
}
