/** What the conversations of a suite share. */
import { isParleyError, type ParleyClient } from '@parley/client';
import { pause, type Clock } from '@parley/runtime';
import { CommandError, EXIT } from '../command-error.ts';
import type { Environment } from '../settings.ts';
import { texts } from './evaluation-texts.ts';

/** The API and the machine of the command. */
export interface SuiteContext {
  api: ParleyClient;
  clock: Clock;
  environment: Environment;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** How long a server may be busy, milliseconds. */
const BUSY_LIMIT_MS = 60_000;
const BUSY_PAUSE_MS = 1000;

/**
 * Waits when the rate limit says so, as often as it says so, and for a minute while the server is busy with so many
 * conversations.
 *
 * @param send - may be repeated
 */
export async function patiently<Answer>(
  context: Pick<SuiteContext, 'clock' | 'signal'>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { clock, signal } = context;
  const until = clock.monotonic() + BUSY_LIMIT_MS;
  for (;;) {
    try {
      return await withinRateLimit(context, send);
    } catch (error) {
      if (!isParleyError(error) || error.status !== 503 || clock.monotonic() > until) throw error;
      // At different times, so that the conversations do not all come back at once.
      await pause(clock, BUSY_PAUSE_MS * (1 + Math.random()), signal);
      throwIfStopped(signal);
    }
  }
}

/** Waits when the rate limit says so. For requests that must not be repeated after another failure. */
export async function withinRateLimit<Answer>(
  { clock, signal }: Pick<SuiteContext, 'clock' | 'signal'>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      throwIfStopped(signal);
      if (!isParleyError(error) || error.status !== 429) throw error;
      await pause(clock, Math.max(1, error.retryAfterSeconds ?? 1) * 1000, signal);
      throwIfStopped(signal);
    }
  }
}

/** @throws CommandError after Ctrl-C */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new CommandError(texts.run.stopped);
}

/**
 * The ids of assistants that a file names by id or name.
 *
 * @throws CommandError with exit code 2 for one that does not exist
 */
export async function findAssistants(
  { api }: Pick<SuiteContext, 'api'>,
  names: ReadonlySet<string | number>,
): Promise<Map<string | number, number>> {
  const { body: assistants } = await api.assistants.listAll();
  return new Map(
    [...names].map((name) => {
      const found = assistants.filter((one) => (typeof name === 'number' ? one.id : one.name) === name);
      const [first, second] = found;
      if (!first) throw unusable(texts.set.noAssistant(name));
      if (second) throw unusable(texts.set.twoAssistants(String(name)));
      return [name, first.id];
    }),
  );
}

/** The suite cannot be run as it is. */
export function unusable(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage });
}
