/** The one translator from our rows to tokens of the wire. */
import { isoMicroseconds, type TokenRecord } from '@parley/contracts';
import type { TokenScope } from './identity.ts';

/** A token's row, without what proves it. */
export interface TokenRow {
  id: number;
  name: string;
  prefix: string;
  /** Null: everything. */
  scopes: TokenScope[] | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

/** SQL of {@link TokenRow}'s columns. */
export const TOKEN_COLUMNS = 'id, name, prefix, scopes, expires_at, revoked_at, last_used_at, created_at';

/** As it is listed. */
export function tokenRecord(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    expires_at: row.expiresAt && isoMicroseconds(row.expiresAt),
    revoked_at: row.revokedAt && isoMicroseconds(row.revokedAt),
    last_used_at: row.lastUsedAt && isoMicroseconds(row.lastUsedAt),
    created_at: isoMicroseconds(row.createdAt),
  };
}
