/** Translates a token's row to the API's record, which does not contain the token. */
import { isoMicroseconds, type TokenRecord } from '@parley/contracts';
import type { TokenRow } from '@parley/db';
import type { TokenScope } from './identity.ts';

/** The record of lists. */
export function tokenRecord(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes as TokenScope[] | null,
    allowed_numbers: row.allowedNumbers,
    max_calls_per_day: row.maxCallsPerDay,
    max_cost_per_day: row.maxCostPerDay,
    requires_confirmation: row.requiresConfirmation,
    expires_at: row.expiresAt && isoMicroseconds(row.expiresAt),
    revoked_at: row.revokedAt && isoMicroseconds(row.revokedAt),
    last_used_at: row.lastUsedAt && isoMicroseconds(row.lastUsedAt),
    created_at: isoMicroseconds(row.createdAt),
  };
}
