/** A subscription lives on one socket for hours; this ends it soon after its session has ended elsewhere. */
import { findSession } from '@parley/core';
import type { Timer } from '@parley/runtime';
import type { TrpcContext } from './context.ts';

/** How long an ended session may still be shown live rows, milliseconds. */
const LOOK_MS = 30_000;

/** Watches until `stop`; whoever watches stops it. */
export interface SessionWatch {
  /** Aborted when the session is gone. */
  ended: AbortSignal;
  stop(): void;
}

/** A database that does not answer ends nothing: the session is looked up again at the next turn. */
export function watchSession(ctx: Pick<TrpcContext, 'core' | 'cookie'>): SessionWatch {
  const { core, cookie } = ctx;
  const gone = new AbortController();
  let timer: Timer | null = null;
  let isStopped = false;
  const isAlive = async (): Promise<boolean> =>
    cookie !== null && (await findSession(core, cookie, { canSetCookie: false })) !== null;
  const look = async (): Promise<void> => {
    const isGone = await isAlive().then(
      (alive) => !alive,
      () => false,
    );
    if (isStopped) return;
    if (isGone) gone.abort();
    else wait();
  };
  const wait = (): void => {
    timer = core.clock.after(LOOK_MS, () => void look());
  };
  wait();
  return {
    ended: gone.signal,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
