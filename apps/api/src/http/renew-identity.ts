/**
 * A request is authenticated before its body is read, and a client may take long to send that. What then acts must still be
 * allowed to: otherwise a request that was begun in time would act for a token that was revoked meanwhile, and make another one.
 */
import { errorText } from '@parley/contracts';
import { DomainError, type Identity } from '@parley/core';
import type { Clock } from '@parley/runtime';
import type { RequestHandler, Response } from 'express';
import { factsOf } from './request-facts.ts';

/** A request whose body arrives sooner is not authenticated again, milliseconds. */
export const RECENT_MS = 1000;

/** @param again - looks the same token or session up once more */
export function setIdentity(
  response: Response,
  clock: Clock,
  { identity, again }: { identity: Identity; again: () => Promise<Identity | null> },
): void {
  const facts = factsOf(response);
  facts.identity = identity;
  facts.authentication = { atMs: clock.monotonic(), again };
}

/** @throws DomainError `unauthenticated` when the token or the session of the request has ended since its last check */
export async function renewIdentity(response: Response, clock: Clock): Promise<void> {
  const facts = factsOf(response);
  const { authentication } = facts;
  if (!authentication || clock.monotonic() - authentication.atMs < RECENT_MS) return;
  const identity = await authentication.again();
  if (!identity) throw new DomainError('unauthenticated', errorText.unauthenticated);
  setIdentity(response, clock, { identity, again: authentication.again });
}

/** After the body. */
export function renewIdentities(clock: Clock): RequestHandler {
  return async (_request, response, next) => {
    await renewIdentity(response, clock);
    next();
  };
}
