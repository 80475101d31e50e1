/**
 * Asks a language model again when it refuses for a moment (429, 503, a lost connection) or answers nothing, with a growing
 * pause, and then the next model. It sets no limit of its own: when the caller has waited too long, `patience.rules.ts`
 * aborts the turn, and fillers bridge the wait.
 */
import { pause, type Clock } from '@parley/runtime';
import { SpeechError, type LanguageModel, type LanguageModelRequest } from '@parley/speech';
import type { ProviderChain } from '../provider-chain.ts';

/** The pauses before the second, third and fourth request. */
const PAUSES_MS = [250, 500, 1000] as const;
/** Requests to one model before the next one is used. */
const REQUESTS_PER_MODEL = 2;

/** What the retries need. */
export interface RetriedModelOptions {
  models: ProviderChain<LanguageModel>;
  clock: Clock;
  /** A request failed, and another one follows, to another model or to the same. */
  onFailed: (hasReplaced: boolean) => void;
}

/** The model in use, with retries until its first event. A failure after that is thrown. */
export function retriedModel({
  models,
  clock,
  onFailed,
}: RetriedModelOptions): Pick<LanguageModel, 'stream'> {
  return {
    async *stream(request, signal) {
      for (let tries = 1; ; tries++) {
        const model = models.current;
        let hasAnswered = false;
        let error: unknown = null;
        try {
          for await (const event of model.stream(request, signal)) {
            hasAnswered ||= event.type !== 'usage';
            yield event;
          }
          if (hasAnswered || mayBeEmpty(model, request)) return;
        } catch (thrown) {
          error = thrown;
        }
        const pauseMs = PAUSES_MS[tries - 1];
        const isOver = signal.aborted || hasAnswered || pauseMs === undefined;
        if (isOver || (error !== null && !isPassing(error, models.size))) {
          if (error !== null) throw error;
          return;
        }
        const mustReplace = tries % REQUESTS_PER_MODEL === 0 || isRefused(error);
        if (mustReplace) models.replace();
        onFailed(mustReplace && models.size > 1);
        await pause(clock, pauseMs, signal);
      }
    },
  };
}

/** A script may have nothing to say, and a model that has used tools may have said everything before. */
function mayBeEmpty(model: LanguageModel, { dialogue }: LanguageModelRequest): boolean {
  return model.standing !== undefined || dialogue.at(-1)?.role === 'tool';
}

/** Whether another request may succeed. A refused one only succeeds with another model. */
function isPassing(error: unknown, modelCount: number): boolean {
  return error instanceof SpeechError && (error.kind === 'unavailable' || modelCount > 1);
}

function isRefused(error: unknown): boolean {
  return error instanceof SpeechError && error.kind === 'rejected';
}
