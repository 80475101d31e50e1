/**
 * Removes noise from audio that is not needed live, such as recordings: RNNoise in one thread for the whole process, which
 * starts with the first piece. Never for the input of a detector or a recogniser (docs/decisions/noise-suppression.md).
 */
import type { Clock } from '@parley/runtime';
import { SpeechError } from '../../ports.ts';
import { WorkerConnection } from '../../worker-connection.ts';
import type { NoiseReply, NoiseRequest } from './rnnoise-message.ts';

/** A second of sound takes 15 ms of the processor, which other threads have first; one that needs longer hangs, milliseconds. */
const PIECE_LIMIT_MS = 60_000;
/** The thread ends some time after the last recording. */
const IDLE_LIMIT_MS = 20_000;

/** One for the whole process; ends with `stop`. */
export interface NoiseFilter {
  /** For one sound. */
  open(sampleRateHz: number): NoiseFilterStream;
  stop(): Promise<void>;
}
/** One running sound. After a failure it stays failed. */
export interface NoiseFilterStream {
  /**
   * Returns the cleaned audio that is available so far. Its position in time is unchanged, and it is about 15 ms shorter than
   * the input until the last piece.
   *
   * @param isLast - nothing follows; returns the rest too, possibly with a little silence after it
   * @throws SpeechError
   */
  clean(samples: Int16Array, isLast: boolean): Promise<Int16Array>;
}

/** Makes the filter; nothing is loaded before it is used. */
export function createNoiseFilter({ clock }: { clock: Clock }): NoiseFilter {
  const file = new URL('./rnnoise-worker.ts', import.meta.url);
  const line = new WorkerConnection<NoiseRequest, NoiseReply>({
    file,
    clock,
    limitMs: PIECE_LIMIT_MS,
    idleLimitMs: IDLE_LIMIT_MS,
  });
  let newestId = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function ask(request: NoiseRequest): Promise<Int16Array> {
    const reply = await line.ask(request);
    if ('fault' in reply) throw new SpeechError('unavailable', `Noise could not be removed: ${reply.fault}`);
    return reply.samples;
  }

  async function inTurn(request: NoiseRequest): Promise<Int16Array> {
    const answer = last.then(() => ask(request));
    last = answer.catch(() => undefined);
    return answer;
  }

  return {
    open(sampleRateHz) {
      const id = ++newestId;
      let failure: unknown = null;
      let isFirst = true;
      return {
        async clean(samples, isLast) {
          if (failure) throw failure;
          try {
            const request = { id, sampleRateHz, samples, isFirst, isLast };
            isFirst = false;
            return await inTurn(request);
          } catch (error) {
            failure = error;
            throw error;
          }
        },
      };
    },
    stop: () => line.stop(),
  };
}
