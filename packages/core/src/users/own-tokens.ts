/** Lists and creates the API tokens of the requesting user. */
import { errorText, fieldFault, wording } from '@parley/contracts';
import type { NewToken, NewTokenRecord, TokenRecord } from '@parley/contracts';
import { ApiToken, type Transaction } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { newToken, type TokenLimits } from './create-token.ts';
import { makeApiToken } from './api-token.ts';
import type { Identity, TokenScope } from './identity.ts';
import { requireBelowMaximum } from './require-below-maximum.ts';
import { tokenRecord } from './token-record.ts';

/** The maximum of tokens of one user; those that are revoked or expired do not count. */
const MAX_TOKENS = 1000;
/** In a list. */
const MOST_LISTED = 5000;

/** All of them, including revoked and expired ones, of which only the newest are shown; the oldest first. */
export async function listTokens(ctx: CoreContext, identity: Identity): Promise<TokenRecord[]> {
  const own = { userId: identity.userId };
  const newest = await ctx.db.em.find(ApiToken, own, { orderBy: { id: 'desc' }, limit: MOST_LISTED });
  return newest.toReversed().map(tokenRecord);
}

/**
 * A new token gets at most the scopes of the token that requests it, and is valid no longer than that one.
 *
 * @returns the only answer that contains the token's text
 * @throws DomainError `forbidden` for a scope that the requesting token does not have, `invalid` for an expiry in the past or
 *   after that of the requesting token
 */
export async function issueToken(
  ctx: CoreContext,
  identity: Identity,
  input: NewToken,
): Promise<NewTokenRecord> {
  const scopes = allowedScopes(identity, input.scopes ?? null);
  const ownEnd = await expiryOf(ctx, identity);
  const expiresAt = input.expires_at == null ? ownEnd : new Date(input.expires_at);
  if (expiresAt && expiresAt <= now(ctx)) {
    throw new DomainError('invalid', errorText.invalidData, {
      fields: fieldFault('expires_at', wording.future),
    });
  }
  if (ownEnd && expiresAt && expiresAt > ownEnd) {
    const fields = fieldFault(
      'expires_at',
      'The new token must not be valid longer than the requesting one.',
    );
    throw new DomainError('invalid', errorText.invalidData, { fields });
  }
  const limits = limitsOf(input);
  if (isLimited(limits) && (scopes === null || scopes.includes('write'))) throw needsNarrowScopes();
  const token = makeApiToken();
  const about = {
    userId: identity.userId,
    name: input.name,
    scopes: scopes ?? undefined,
    expiresAt,
    requiresConfirmation: input.requires_confirmation ?? false,
    ...limits,
  };
  const row = await ctx.db.transaction(async (tx) => {
    const added = { userId: identity.userId, most: MAX_TOKENS, what: 'API tokens', field: 'name' };
    await requireBelowMaximum(tx, added, () => countUsable(ctx, tx, identity.userId));
    return tx.em.create(ApiToken, newToken(ctx, { ...about, token }));
  });
  return { ...tokenRecord(row), token };
}

async function countUsable(ctx: CoreContext, tx: Transaction, userId: number): Promise<number> {
  const isUsable = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now(ctx) } }] };
  return tx.em.count(ApiToken, { userId, ...isUsable });
}

/** When the requesting token expires. */
async function expiryOf({ db }: CoreContext, { tokenId }: Identity): Promise<Date | undefined> {
  const token = tokenId === null ? null : await db.em.findOne(ApiToken, { id: tokenId });
  return token?.expiresAt ?? undefined;
}

function limitsOf(input: NewToken): TokenLimits {
  return {
    allowedNumbers: input.allowed_numbers ?? null,
    maxCallsPerDay: input.max_calls_per_day ?? null,
    maxCostPerDay: input.max_cost_per_day ?? null,
  };
}

function isLimited(limits: TokenLimits): boolean {
  return Object.values(limits).some((limit) => limit !== null);
}

/** With the scope `write` it could add numbers to campaigns, change assistants, and create other tokens. */
function needsNarrowScopes(): DomainError {
  const fields = fieldFault('scopes', 'A token with limits needs the scopes read and call only.');
  return new DomainError('invalid', errorText.invalidData, { fields });
}

/** @returns null for all scopes */
function allowedScopes(identity: Identity, wanted: readonly TokenScope[] | null): TokenScope[] | null {
  const own = identity.scopes;
  if (own === 'all') return wanted && [...new Set(wanted)];
  const missing = wanted?.find((scope) => !own.includes(scope));
  if (missing) throw new DomainError('forbidden', errorText.missingScope(missing), { code: 'missing_scope' });
  return [...new Set(wanted ?? own)];
}
