/** Asks a voice process for the written reply of an assistant: it has access to the models. */
import {
  errorBody,
  errorText,
  internal,
  textReply,
  type TextQuestionBody,
  type TextReplyRecord,
} from '@parley/contracts';
import { DomainError, findAssistant, pickVoiceProcess } from '@parley/core';
import type { Clock } from '@parley/runtime';
import type { VoiceAccess } from '../voice-access.ts';
import { createRateLimit, requireAllowance, type RateLimit } from '../http/rate-limit.ts';
import type { RestCall } from './handlers.ts';

/** A reply costs the tokens of a model: this many in a minute for each token of the API. */
const REPLIES_PER_MINUTE = 30;
/** Milliseconds. */
const TIME_LIMIT_MS = 30_000;
const TOO_SLOW = 'The assistant did not reply within 30 seconds.';

/** Asks for the reply to written messages. */
export type AskForReply = (
  call: RestCall,
  question: { assistantId: number; body: TextQuestionBody },
) => Promise<TextReplyRecord>;

/** @param access - of the voice processes */
export function createAskForReply(access: VoiceAccess, rateLimit: RateLimit): AskForReply {
  return async ({ core, identity, request }, { assistantId, body }) => {
    const { userId, tokenId } = identity;
    requireAllowance(rateLimit.count(tokenId === null ? `user ${userId}` : `token ${tokenId}`));
    await findAssistant(core, identity, assistantId);
    const base = access.voiceUrl ?? (await pickVoiceProcess(core.db))?.url;
    if (base === undefined) throw new DomainError('unavailable', errorText.unavailable);
    const limit = new AbortController();
    const timer = core.clock.after(TIME_LIMIT_MS, () => limit.abort());
    const gone = new AbortController();
    request.res?.once('close', () => gone.abort());
    try {
      const answer = await fetch(new URL(internal.reply.path, base), {
        method: internal.reply.method,
        headers: { authorization: `Bearer ${access.internalSecret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, user_id: userId, assistant_id: assistantId }),
        signal: AbortSignal.any([limit.signal, gone.signal]),
      });
      if (answer.status === 200) return textReply.parse(await answer.json());
      throw refusalOf(answer.status, await answer.json());
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const message = limit.signal.aborted ? TOO_SLOW : errorText.unavailable;
      throw new DomainError('unavailable', message, { cause: error });
    } finally {
      timer.cancel();
    }
  };
}

/** One for each process. */
export function createReplyLimit(clock: Clock): RateLimit {
  return createRateLimit(REPLIES_PER_MINUTE, clock);
}

/** @throws ZodError when the answer is not that of the contract */
function refusalOf(status: number, body: unknown): DomainError {
  const { message } = errorBody.parse(body);
  if (status === 404) return new DomainError('not-found', message);
  return new DomainError('unavailable', status === 502 ? message : errorText.unavailable);
}
