/** The one translator from core's entries of the do-not-call list to those of the wire, for REST and tRPC alike. */
import { isoMicroseconds, type DoNotCallRecord } from '@parley/contracts';
import type { DoNotCallEntry } from '@parley/core';

/** An entry as clients read it. */
export function doNotCallRecord(entry: DoNotCallEntry): DoNotCallRecord {
  return {
    phone_number: entry.phoneNumber,
    reason: entry.reason,
    created_at: isoMicroseconds(entry.createdAt),
  };
}
