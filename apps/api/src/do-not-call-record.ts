/** Maps core's do-not-call entries to those of the contract, for REST and tRPC. */
import { isoMicroseconds, type DoNotCallRecord } from '@parley/contracts';
import type { DoNotCallEntry } from '@parley/core';

/** An entry as clients read it. */
export function doNotCallRecord(entry: DoNotCallEntry): DoNotCallRecord {
  return {
    phone_number: entry.phoneNumber,
    reason: entry.reason,
    created_at: isoMicroseconds(entry.createdAt),
    call_id: entry.callId,
  };
}

/** The download of the list. */
export const DO_NOT_CALL_FILE = { type: 'text/csv; charset=utf-8', fileName: 'do-not-call.csv' };
