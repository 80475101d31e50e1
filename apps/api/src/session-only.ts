/** For files that pages of the admin app send outside tRPC: they have a session and no token. */
import { errorText } from '@parley/contracts';
import { DomainError, findSession, type CoreContext, type FoundSession } from '@parley/core';
import { networkOf } from '@parley/runtime';
import type { RequestHandler } from 'express';
import { requireAllowance, type RateLimit } from './http/rate-limit.ts';
import { setIdentity } from './http/renew-identity.ts';
import { isFromOwnPage } from './http/request-origin.ts';
import { sessionCookieOf } from './trpc/context.ts';

/**
 * The identity of the request is then that of the session.
 *
 * @param rateLimit - of each user, and of each network address without a session
 */
export function requireSession(core: CoreContext, rateLimit: RateLimit): RequestHandler {
  return async (request, response, next) => {
    const cookie = sessionCookieOf(request);
    const find = async (): Promise<FoundSession | null> =>
      cookie === null ? null : findSession(core, cookie, { canSetCookie: false });
    const session = await find();
    requireAllowance(
      rateLimit.count(session ? `user ${session.userId}` : `visitor ${networkOf(request.ip ?? '')}`),
    );
    if (!session) throw new DomainError('unauthenticated', errorText.unauthenticated);
    if (!isFromOwnPage(request, core.publicUrl))
      throw new DomainError('forbidden', 'A page of another origin must not do this.');
    setIdentity(response, core.clock, { identity: session, again: find });
    next();
  };
}

const ID = /^\d{1,15}$/;

/** @throws DomainError `not-found` with the message when the path has no id */
export function idOf(id: unknown, message: string): number {
  const text = String(id);
  if (!ID.test(text)) throw new DomainError('not-found', message);
  return Number(text);
}
