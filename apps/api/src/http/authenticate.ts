/** Who sends a request: the user of its bearer token, checked before anything else of the request is read. */
import { errorText, keyingOf, metadataOf, type RouteMetadata } from '@parley/contracts';
import {
  auditCommitted,
  authenticateToken,
  DomainError,
  type CoreContext,
  type Identity,
} from '@parley/core';
import { networkOf } from '@parley/runtime';
import type { RequestHandler, Response } from 'express';
import type { RestMiddleware } from './rest-request.ts';
import { requireAllowance, setRateLimitHeaders, type RateLimit } from './rate-limit.ts';
import { setIdentity } from './renew-identity.ts';
import { factsOf } from './request-facts.ts';
import { TokenUses } from './token-uses.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;

/**
 * Answers 401 without a valid token, and 429 above the token's rate limit, above that of all tokens of a member, or above the
 * limit of failures from one network address. Failures never affect valid tokens from that address, which may be a proxy's.
 *
 * @param rateLimit - of each token, and of failures
 * @param memberLimit - of all tokens of a member together, who can make any number of them
 */
export function createAuthentication(
  core: CoreContext,
  rateLimit: RateLimit,
  memberLimit: RateLimit,
): RequestHandler {
  const uses = new TokenUses();
  return async (request, response, next) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const identity = token === undefined ? null : await authenticateToken(core, token);
    if (!identity) {
      requireAllowance(rateLimit.count(`failures of ${networkOf(request.ip ?? '')}`));
      throw new DomainError('unauthenticated', errorText.unauthenticated);
    }
    const again = (): Promise<Identity | null> => authenticateToken(core, token ?? '');
    setIdentity(response, core.clock, { identity, again });
    const allowance = rateLimit.count(`token ${identity.tokenId}`);
    setRateLimitHeaders(response, rateLimit.limit, allowance);
    requireAllowance(allowance);
    if (identity.role === 'member') requireAllowance(memberLimit.count(`user ${identity.userId}`));
    await recordUse(core, uses, identity, request.ip ?? '');
    next();
  };
}

async function recordUse(
  core: CoreContext,
  uses: TokenUses,
  { userId, tokenId }: Identity,
  networkAddress: string,
): Promise<void> {
  if (tokenId === null || !uses.isFirst(tokenId, networkAddress, core.clock.now())) return;
  const use = { channel: 'api', operation: 'tokens.use', userId, tokenId, networkAddress } as const;
  await auditCommitted(core, { ...use, objectId: tokenId });
}

/** Answers 403 when the token lacks the scope, or its user the role, that the contract asks for, or acts with confirmation only. */
export const authorize: RestMiddleware = (request, response, next) => {
  const identity = identityOf(response);
  requireAccess(metadataOf(request.tsRestRoute), identity);
  if (identity.requiresConfirmation && keyingOf(request.tsRestRoute) !== 'none')
    throw new DomainError(
      'forbidden',
      'This API token acts through MCP only, where each action is confirmed.',
    );
  next();
};

/** @throws DomainError `forbidden` without the scope or the role of an endpoint */
export function requireAccess(
  { scope, role }: Pick<RouteMetadata, 'scope' | 'role'>,
  { scopes, role: ownRole }: Identity,
): void {
  if (scope !== null && scopes !== 'all' && !scopes.includes(scope))
    throw new DomainError('forbidden', errorText.missingScope(scope), { code: 'missing_scope' });
  if (role !== undefined && ownRole !== role)
    throw new DomainError('forbidden', errorText.missingRole(role), { code: 'missing_role' });
}

/** @throws Error where nothing was authenticated, which is a mistake in the order of middleware */
export function identityOf(response: Response): Identity {
  const { identity } = factsOf(response);
  if (!identity) throw new Error('This request was not authenticated');
  return identity;
}
