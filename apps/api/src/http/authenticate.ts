/** Who is asking: the bearer token's user, checked before anything else is looked at. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText, type NeededRole, type Scope } from '@parley/contracts';
import { authenticateToken, DomainError, type CoreContext, type Identity } from '@parley/core';
import { exchangeOf } from './exchange.ts';
import type { RateLimit } from './rate-limit.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;

/**
 * @throws DomainError `unauthenticated` without a living token
 * @throws RefusedRequest 429 over the token's limit
 */
export type Authenticate = (request: IncomingMessage, response: ServerResponse) => Promise<Identity>;

/** For the endpoints of the contract. */
export function createAuthentication(core: CoreContext, rateLimit: RateLimit): Authenticate {
  return async (request, response) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const identity = token === undefined ? null : await authenticateToken(core, token);
    if (!identity) throw new DomainError('unauthenticated', errorText.unauthenticated);
    const exchange = exchangeOf(response);
    exchange.userId = identity.userId;
    exchange.tokenId = identity.tokenId;
    if (identity.tokenId !== null) rateLimit.count(identity.tokenId, exchange.headers);
    return identity;
  };
}

/** @throws DomainError forbidden, naming the scope that a narrowed token lacks */
export function requireScope(identity: Identity, scope: Scope | null): void {
  if (scope === null || identity.scopes === 'all' || identity.scopes.includes(scope)) return;
  throw new DomainError('forbidden', errorText.missingScope(scope));
}

/** @throws DomainError forbidden, naming the role that the token's user lacks */
export function requireRole(identity: Identity, role: NeededRole | undefined): void {
  if (role === undefined || identity.role === role) return;
  throw new DomainError('forbidden', errorText.missingRole(role));
}
