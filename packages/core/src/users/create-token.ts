/** Creates an API token for a user. */
import { ApiToken, type TokenRow, type Transaction } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { hashSecret } from '../shared/random-secret.ts';
import { makeApiToken, shownPrefix } from './api-token.ts';
import type { TokenScope } from './identity.ts';

/** Limits of one token. Null: none of its own. */
export interface TokenLimits {
  /** E.164, or the beginning of a number and `*`. */
  allowedNumbers: readonly string[] | null;
  /** A day is UTC's. */
  maxCallsPerDay: number | null;
  maxCostPerDay: number | null;
}

/** A token to create. */
export interface CreateTokenInput extends Partial<TokenLimits> {
  userId: number;
  name: string;
  /** Default: all scopes. */
  scopes?: readonly TokenScope[] | undefined;
  /** It acts through MCP only, where each action is confirmed. Default: false. */
  requiresConfirmation?: boolean | undefined;
  expiresAt?: Date | undefined;
  /** A token that automation presets; at least 32 characters. */
  token?: string | undefined;
}

const MIN_TOKEN_LENGTH = 32;

/**
 * The token's text is returned only here; the database has its hash.
 *
 * @throws DomainError `invalid` when a given token is too short
 */
export async function createToken(
  ctx: CoreContext,
  input: CreateTokenInput,
): Promise<{ id: number; token: string }> {
  const token = input.token ?? makeApiToken();
  const create = async ({ em }: Transaction): Promise<TokenRow> =>
    em.create(ApiToken, newToken(ctx, { ...input, token }));
  const { id } = await ctx.db.transaction(create);
  return { id, token };
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
    allowedNumbers: input.allowedNumbers ? [...input.allowedNumbers] : null,
    maxCallsPerDay: input.maxCallsPerDay ?? null,
    maxCostPerDay: input.maxCostPerDay ?? null,
    requiresConfirmation: input.requiresConfirmation ?? false,
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: now(ctx),
  };
}
