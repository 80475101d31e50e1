/** What one socket shows for hours ends soon after its session has ended elsewhere. */
import { findSession, type CoreContext } from '@parley/core';
import { BackgroundWork, pause } from '@parley/runtime';
import type { TrpcContext } from './context.ts';

/** How long an ended session may still be shown live rows, or hear a call, milliseconds. */
const LOOK_MS = 30_000;

type Who = Pick<TrpcContext, 'core' | 'cookie'>;

/**
 * Watches the session of a cookie until `signal` is aborted.
 *
 * @returns aborted with `signal`, or when the session has ended
 */
export function untilSignedOut({ core, cookie }: Who, signal: AbortSignal): AbortSignal {
  return whileAllowed(
    core,
    async () => cookie !== null && (await findSession(core, cookie, { canSetCookie: false })) !== null,
    signal,
  );
}

/**
 * Asks every 30 s. A database error does not end the watch: the question is asked again at the next turn.
 *
 * @returns aborted with `signal`, or when `isAllowed` has said no
 */
export function whileAllowed(
  core: CoreContext,
  isAllowed: () => Promise<boolean>,
  signal: AbortSignal,
): AbortSignal {
  const gone = new AbortController();
  new BackgroundWork(core.log).start('watch a session', async () => {
    do {
      await pause(core.clock, LOOK_MS, signal);
    } while (!signal.aborted && (await isAllowed().catch(() => true)));
    gone.abort();
  });
  return AbortSignal.any([signal, gone.signal]);
}
