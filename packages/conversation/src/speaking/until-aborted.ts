/** Waiting that stops at once when a signal is aborted, even if the awaited work hangs. */

/**
 * The items of `source` until it ends or `signal` is aborted.
 *
 * @throws the error of `source`, if it fails before that
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const onAbort = (): void => resolve(null);
  signal.addEventListener('abort', onAbort, { once: true });
  let isFinished = false;
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), aborted]);
      isFinished = next?.done === true;
      if (next === null || next.done) return;
      yield next.value;
    }
  } catch (error) {
    isFinished = true;
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!isFinished) leave(iterator);
  }
}

/** Not awaited: a generator in the middle of a hanging request would answer only when that request does. */
function leave(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().catch(() => undefined);
}

/** Resolves with `work`, or as soon as `signal` is aborted. @throws the error of `work`, if it fails before that */
export async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
