/** Who is asking: the bearer token's user, checked before anything else is looked at. */
import { errorText, type NeededRole, type Scope } from '@parley/contracts';
import { authenticateToken, DomainError, type CoreContext, type Identity } from '@parley/core';
import type { RequestHandler, Response } from 'express';
import { sendError } from './error-handler.ts';
import type { RateLimit } from './rate-limit.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;

/** @throws Error where no authentication went before, which is a mistake of ours */
export function identityOf(response: Response): Identity {
  const identity = response.locals['identity'] as Identity | undefined;
  if (!identity) throw new Error('This route was reached without authentication');
  return identity;
}

/** 401 without a living token, 429 over its limit. */
export function createAuthentication(core: CoreContext, rateLimit: RateLimit): RequestHandler {
  return async (request, response, next) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const identity = token === undefined ? null : await authenticateToken(core, token);
    if (!identity) throw new DomainError('unauthenticated', errorText.unauthenticated);
    Object.assign(response.locals, { identity, userId: identity.userId, tokenId: identity.tokenId });
    const refusal = identity.tokenId === null ? null : rateLimit.count(identity.tokenId, response);
    if (refusal) return sendError(response, refusal);
    next();
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
