/** Finds the user of a bearer token. It runs on every request of the REST API, so it is one prepared SQL statement. */
import { statement, type UserRole } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { hashSecret } from '../shared/random-secret.ts';
import type { Identity, TokenScope } from './identity.ts';

/** `lastUsedAt` is written at most this often, milliseconds. */
const LAST_USED_STEP_MS = 60_000;

interface TokenRow {
  tokenId: number;
  userId: number;
  role: UserRole;
  timezone: string;
  scopes: TokenScope[] | null;
  allowedNumbers: string[] | null;
  requiresConfirmation: boolean;
  lastUsedAt: Date | null;
}

/** `$2` is the current time. */
const IS_ACTIVE = `t.revoked_at is null and u.disabled_at is null and (t.expires_at is null or t.expires_at > $2)`;

const findToken = statement<TokenRow>(
  'find_token',
  `select t.id as token_id, u.id as user_id, u.role, u.timezone, t.scopes, t.allowed_numbers,
     t.requires_confirmation, t.last_used_at
   from api_tokens t join users u on u.id = t.user_id where t.token_hash = $1 and ${IS_ACTIVE}`,
);
const findActive = statement<{ id: number }>(
  'find_active_token',
  `select t.id from api_tokens t join users u on u.id = t.user_id where t.id = $1 and ${IS_ACTIVE}`,
);

const noteTokenUse = statement(
  'note_token_use',
  `update api_tokens set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $3)`,
);

/** @returns null for a token that is unknown, expired or revoked, or whose user is disabled */
export async function authenticateToken(ctx: CoreContext, token: string): Promise<Identity | null> {
  const at = now(ctx);
  const [row] = await ctx.db.query(findToken, [hashSecret(token), at]);
  if (!row) return null;
  const staleBefore = new Date(at.getTime() - LAST_USED_STEP_MS);
  if (row.lastUsedAt === null || row.lastUsedAt < staleBefore) {
    await ctx.db.query(noteTokenUse, [row.tokenId, at, staleBefore]);
  }
  return {
    userId: row.userId,
    role: row.role,
    scopes: row.scopes ?? 'all',
    tokenId: row.tokenId,
    allowedNumbers: row.allowedNumbers,
    requiresConfirmation: row.requiresConfirmation,
    timezone: row.timezone,
  };
}

/** For answers that last: false once the token is expired or revoked, or its user is disabled. */
export async function isTokenActive(ctx: CoreContext, tokenId: number): Promise<boolean> {
  const rows = await ctx.db.query(findActive, [tokenId, now(ctx)]);
  return rows.length > 0;
}
