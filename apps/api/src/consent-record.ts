/** Maps core's records of consent to those of the contract, for REST and tRPC. */
import { isoMicroseconds, type ConsentRecord } from '@parley/contracts';
import type { ConsentEntry } from '@parley/core';

/** A record as clients read it. */
export function consentRecord(entry: ConsentEntry): ConsentRecord {
  return {
    phone_number: entry.phoneNumber,
    source: entry.source,
    text: entry.text,
    consented_at: isoMicroseconds(entry.consentedAt),
    created_at: isoMicroseconds(entry.createdAt),
  };
}
