/** A subscription lives on one socket for hours; this ends it soon after its session has ended elsewhere. */
import { findSession } from '@parley/core';
import { BackgroundWork, pause } from '@parley/runtime';
import type { TrpcContext } from './context.ts';

/** How long an ended session may still be shown live rows, milliseconds. */
const LOOK_MS = 30_000;

type Who = Pick<TrpcContext, 'core' | 'cookie'>;

/**
 * Watches a session until `signal` is aborted. A database error does not end the watch: the session is looked up
 * again at the next turn.
 *
 * @returns aborted with `signal`, or when the session has ended
 */
export function untilSignedOut(who: Who, signal: AbortSignal): AbortSignal {
  const gone = new AbortController();
  new BackgroundWork(who.core.log).start('watch a session', async () => {
    await watch(who, signal);
    gone.abort();
  });
  return AbortSignal.any([signal, gone.signal]);
}

/** Resolves when the session has ended or the watch was aborted. Never rejects. */
async function watch(who: Who, signal: AbortSignal): Promise<void> {
  do {
    await pause(who.core.clock, LOOK_MS, signal);
  } while (!signal.aborted && (await isSignedIn(who)));
}

async function isSignedIn({ core, cookie }: Who): Promise<boolean> {
  if (cookie === null) return false;
  return findSession(core, cookie, { canSetCookie: false }).then(
    (session) => session !== null,
    () => true,
  );
}
