/** The installation that a suite tests, over the REST API. */
import { isParleyError, ParleyConnectionError, type ParleyClient } from '@parley/client';
import { pause, type Clock } from '@parley/runtime';
import { localJudge, type SuiteContext, type SuiteServer } from '@parley/suites';
import { CommandError, EXIT } from '../command-error.ts';
import type { Environment } from '../settings.ts';
import { texts } from './evaluation-texts.ts';

/** The API and the machine of the command. */
export interface CommandSurroundings {
  api: ParleyClient;
  clock: Clock;
  environment: Environment;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

type Patience = Pick<CommandSurroundings, 'clock' | 'signal'>;

/** How long a server may be busy, milliseconds. */
const BUSY_LIMIT_MS = 60_000;
const BUSY_PAUSE_MS = 1000;

/**
 * Waits when the rate limit says so, as often as it says so, and for a minute while the server is busy with so many
 * conversations.
 *
 * @param send - may be repeated
 */
export async function patiently<Answer>(context: Patience, send: () => Promise<Answer>): Promise<Answer> {
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
async function withinRateLimit<Answer>(
  { clock, signal }: Patience,
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

/** The suite cannot be run as it is. */
export function unusable(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage });
}

/** For the conversations of a suite. */
export function suiteContextOf(surroundings: CommandSurroundings): SuiteContext {
  const { clock, environment, signal } = surroundings;
  return { server: serverOf(surroundings), judge: localJudge, clock, environment, signal };
}

function serverOf({ api, clock, signal }: CommandSurroundings): SuiteServer {
  const patience = { clock, signal };
  return {
    async reply({ assistantId, messages, variables, runTools }, stopped) {
      const { body } = await patiently(patience, () =>
        api.assistants.generateReply(
          { params: { id: assistantId }, body: { messages, variables, run_tools: runTools } },
          { signal: stopped },
        ),
      );
      return body.data;
    },
    async placeCall({ assistantId, phoneNumbers: [phoneNumber = ''], variables }) {
      const { body } = await withinRateLimit(patience, () =>
        api.calls.make({ body: { phone_number: phoneNumber, assistant_id: assistantId, variables } }),
      );
      return body.call_id;
    },
    async findCall(id) {
      return (await patiently(patience, () => api.calls.get({ params: { id } }))).body;
    },
    async hangUp(id) {
      await api.calls.hangUp({ params: { id }, body: {} }).catch(() => undefined);
    },
  };
}

/** Why a conversation could not be held; null for an error of the program. */
export function faultOf(error: unknown): string | null {
  const isKnown =
    isParleyError(error) || error instanceof ParleyConnectionError || error instanceof CommandError;
  return isKnown ? error.message : null;
}
