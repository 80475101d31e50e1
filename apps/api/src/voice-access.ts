/** How the api sends requests to voice processes, which have the SIP endpoint and the models. */
import { errorBody, errorText } from '@parley/contracts';
import { DomainError, pickVoiceProcess, type CoreContext } from '@parley/core';
import type { z } from 'zod';

/** How voice is reached. */
export interface VoiceAccess {
  internalSecret: string;
  /** Fixed address; absent: a live process is selected from the database. */
  voiceUrl: string | undefined;
}

/** A request of the private contract. */
export interface VoiceQuestion<Answer extends z.ZodType> {
  method: string;
  path: string;
  body: object;
  answer: Answer;
  /** The statuses of refusals whose message is for the caller, besides 404 and 409. */
  passedOn: readonly number[];
  /** The message when no answer comes within 30 s. */
  tooSlow: string;
  /** Aborts when the caller has gone. */
  gone?: AbortSignal;
}

/** Milliseconds. */
const TIME_LIMIT_MS = 30_000;

/** Asks one voice process. @throws DomainError with its refusal, or `unavailable` */
export async function askVoiceProcess<Answer extends z.ZodType>(
  core: CoreContext,
  access: VoiceAccess,
  question: VoiceQuestion<Answer>,
): Promise<z.output<Answer>> {
  const { method, path, body, answer: schema, passedOn, tooSlow, gone } = question;
  const base = access.voiceUrl ?? (await pickVoiceProcess(core.db, { canWait: false }))?.url;
  if (base === undefined) throw new DomainError('unavailable', errorText.unavailable);
  const limit = new AbortController();
  const timer = core.clock.after(TIME_LIMIT_MS, () => limit.abort());
  try {
    const answer = await fetch(new URL(path, base), {
      method,
      headers: { authorization: `Bearer ${access.internalSecret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: gone ? AbortSignal.any([limit.signal, gone]) : limit.signal,
    });
    if (answer.status === 200) return schema.parse(await answer.json());
    throw refusalOf(answer.status, await answer.json(), passedOn);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const message = limit.signal.aborted ? tooSlow : errorText.unavailable;
    throw new DomainError('unavailable', message, { cause: error });
  } finally {
    timer.cancel();
  }
}

/** @throws ZodError when the answer is not that of the contract */
function refusalOf(status: number, body: unknown, passedOn: readonly number[]): DomainError {
  const { message } = errorBody.parse(body);
  if (status === 404) return new DomainError('not-found', message);
  if (status === 409) return new DomainError('conflict', message);
  return new DomainError('unavailable', passedOn.includes(status) ? message : errorText.unavailable);
}
