/** Makes an API token for a user. */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { hashSecret } from '../shared/random-secret.ts';
import { makeApiToken, shownPrefix } from './api-token.ts';
import type { TokenScope } from './identity.ts';
import { TOKEN_COLUMNS, type TokenRow } from './token-record.ts';

/** A token to be made. */
export interface CreateTokenInput {
  userId: number;
  name: string;
  /** Absent: everything. */
  scopes?: readonly TokenScope[] | undefined;
  expiresAt?: Date | undefined;
  /** A token made elsewhere, for automation; at least 32 characters. */
  token?: string | undefined;
}

const MIN_TOKEN_LENGTH = 32;

const insert = statement<TokenRow>(
  'insert_token',
  `insert into api_tokens (user_id, name, token_hash, prefix, scopes, expires_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) returning ${TOKEN_COLUMNS}`,
);

/**
 * The token is shown this once; only its hash is kept.
 *
 * @throws DomainError `invalid` when a given token is too short
 */
export async function createToken(
  ctx: CoreContext,
  input: CreateTokenInput,
): Promise<{ id: number; token: string }> {
  const token = input.token ?? makeApiToken();
  const { id } = await insertToken(ctx, { ...input, token });
  return { id, token };
}

/** Writes the row of a token whose text is known already. */
export async function insertToken(
  ctx: CoreContext,
  input: CreateTokenInput & { token: string },
): Promise<TokenRow> {
  const token = newToken(ctx, input);
  const [row] = await ctx.db.query(insert, [
    token.userId,
    token.name,
    token.tokenHash,
    token.prefix,
    token.scopes,
    token.expiresAt,
    token.createdAt,
  ]);
  if (!row) throw new Error('A token could not be written');
  return row;
}

/** The row of a new token. */
export function newToken(ctx: CoreContext, input: CreateTokenInput & { token: string }) {
  if (input.token.length < MIN_TOKEN_LENGTH) {
    throw new DomainError('invalid', `An API token must have at least ${MIN_TOKEN_LENGTH} characters.`);
  }
  return {
    userId: input.userId,
    name: input.name,
    tokenHash: hashSecret(input.token),
    prefix: shownPrefix(input.token),
    scopes: input.scopes ? [...input.scopes] : null,
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: now(ctx),
  };
}
