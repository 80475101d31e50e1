/** Time limits for work that might never end. */
import type { Clock } from './clock.ts';

/** The work took longer than its limit. */
export class DeadlineError extends Error {
  constructor(limitMs: number) {
    super(`The work did not finish within ${limitMs} ms`);
    this.name = 'DeadlineError';
  }
}

/**
 * Waits for `work` until it settles or `limitMs` has passed. Work that exceeds the limit continues; its result, or its
 * failure, is ignored.
 *
 * @throws DeadlineError, or the error of the work
 */
export async function withDeadline<Result>(
  clock: Clock,
  limitMs: number,
  work: Promise<Result>,
): Promise<Result> {
  const deadline = Promise.withResolvers<never>();
  const timer = clock.after(limitMs, () => deadline.reject(new DeadlineError(limitMs)));
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    timer.cancel();
  }
}
