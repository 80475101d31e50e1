/** Asks a voice process for the work of a model: it has access to the models. */
import type { Identity } from '@parley/core';
import type { z } from 'zod';
import { createRateLimit, requireAllowance } from '../http/rate-limit.ts';
import type { SharedWindows } from '../http/shared-windows.ts';
import { askVoiceProcess, type VoiceAccess } from '../voice-access.ts';
import type { RestCall } from './handlers.ts';

/**
 * A reply costs the tokens of a model: this many in a minute for each token of a member. Operators own the accounts of the
 * models; only the general limit applies to them, so that suites of conversations run at once.
 */
const QUESTIONS_PER_MINUTE = 30;
/** The limit of all tokens and sessions of a member together, who can make any number of tokens. */
const QUESTIONS_OF_USER_PER_MINUTE = 120;

/** A request of the private contract, and what is said when it takes too long. */
interface Question<Answer extends z.ZodType> {
  route: { method: string; path: string; responses: { 200: Answer } };
  body: object;
  tooSlow: string;
}

/** Counts and asks questions. */
export interface VoiceAsker {
  /** Before anything is stored for the question. @throws RefusedRequest 429 */
  requireAllowance(identity: Identity): void;
  /** Asks one question. @throws DomainError with the refusal of voice */
  ask<Answer extends z.ZodType>(call: RestCall, question: Question<Answer>): Promise<z.output<Answer>>;
}

/** One for each process. */
export function createVoiceAsker(access: VoiceAccess, windows: SharedWindows): VoiceAsker {
  const rateLimit = createRateLimit('replies', QUESTIONS_PER_MINUTE, windows);
  const ofUser = createRateLimit('replies of users', QUESTIONS_OF_USER_PER_MINUTE, windows);
  return {
    requireAllowance({ role, userId, tokenId }) {
      if (role === 'operator') return;
      requireAllowance(rateLimit.count(tokenId === null ? `user ${userId}` : `token ${tokenId}`));
      requireAllowance(ofUser.count(`user ${userId}`));
    },

    async ask({ core, request }, { route, body, tooSlow }) {
      const gone = new AbortController();
      request.res?.once('close', () => gone.abort());
      return askVoiceProcess(core, access, {
        method: route.method,
        path: route.path,
        body,
        answer: route.responses[200],
        passedOn: [502],
        tooSlow,
        gone: gone.signal,
      });
    },
  };
}
