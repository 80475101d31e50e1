/** The API tokens of whoever asks: list, make, revoke. */
import { errorText, fieldFault, wording } from '@parley/contracts';
import type { NewToken, NewTokenRecord, TokenRecord } from '@parley/contracts';
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { insertToken } from './create-token.ts';
import { makeApiToken } from './api-token.ts';
import type { Identity, TokenScope } from './identity.ts';
import { TOKEN_COLUMNS, tokenRecord, type TokenRow } from './token-record.ts';

const selectTokens = statement<TokenRow>(
  'list_tokens',
  `select ${TOKEN_COLUMNS} from api_tokens where user_id = $1 order by id`,
);
const revoke = statement<{ id: number }>(
  'revoke_token',
  `update api_tokens set revoked_at = coalesce(revoked_at, $3) where id = $1 and user_id = $2 returning id`,
);

/** All of them, also those that open nothing any more; the oldest first. */
export async function listTokens(ctx: CoreContext, identity: Identity): Promise<TokenRecord[]> {
  return (await ctx.db.query(selectTokens, [identity.userId])).map(tokenRecord);
}

/**
 * A token never makes one that may do more than itself.
 *
 * @returns the only answer that ever has the token's text
 * @throws DomainError `forbidden` for a scope the asking token lacks, `invalid` for an expiry in the past
 */
export async function issueToken(
  ctx: CoreContext,
  identity: Identity,
  input: NewToken,
): Promise<NewTokenRecord> {
  const scopes = allowedScopes(identity, input.scopes ?? null);
  const expiresAt = input.expires_at == null ? undefined : new Date(input.expires_at);
  if (expiresAt && expiresAt <= now(ctx)) {
    throw new DomainError('invalid', errorText.invalidData, {
      fields: fieldFault('expires_at', wording.future),
    });
  }
  const token = makeApiToken();
  const about = { userId: identity.userId, name: input.name, scopes: scopes ?? undefined, expiresAt };
  const row = await insertToken(ctx, { ...about, token });
  return { ...tokenRecord(row), token };
}

/**
 * From the next request on it opens nothing, at any node: every request asks the database. Revoking again is fine.
 *
 * @throws DomainError `not-found`, also for somebody else's token
 */
export async function revokeToken(ctx: CoreContext, identity: Identity, tokenId: number): Promise<void> {
  const [revoked] = await ctx.db.query(revoke, [tokenId, identity.userId, now(ctx)]);
  if (!revoked) throw new DomainError('not-found', 'Token not found');
}

/** @returns null: everything */
function allowedScopes(identity: Identity, wanted: readonly TokenScope[] | null): TokenScope[] | null {
  const own = identity.scopes;
  if (own === 'all') return wanted && [...new Set(wanted)];
  const missing = wanted?.find((scope) => !own.includes(scope));
  if (missing) throw new DomainError('forbidden', errorText.missingScope(missing));
  return [...new Set(wanted ?? own)];
}
