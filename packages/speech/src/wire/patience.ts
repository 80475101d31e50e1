/**
 * Time limits of a streamed reply: one until its first piece, another between pieces. One signal covers both these limits and
 * the listener's own signal, because client libraries accept only one.
 */
import type { Clock, Timer } from '@parley/runtime';
import { SpeechError } from '../ports.ts';

/** Both limits in milliseconds. */
export interface PatienceLimits {
  firstMs: number;
  betweenMs: number;
}

/** The limits of one request. {@link Patience.end} must be called in any case. */
export class Patience {
  readonly #clock: Clock;
  readonly #limits: PatienceLimits;
  readonly #listener: AbortSignal;
  readonly #controller = new AbortController();
  readonly #onLeave = (): void => this.#controller.abort();
  #timer: Timer;
  #expired: SpeechError | null = null;

  /** @param listener - the signal of the listener */
  constructor(clock: Clock, limits: PatienceLimits, listener: AbortSignal) {
    this.#clock = clock;
    this.#limits = limits;
    this.#listener = listener;
    this.#timer = clock.after(limits.firstMs, () => this.#expire('did not begin to answer', limits.firstMs));
    if (listener.aborted) this.#onLeave();
    listener.addEventListener('abort', this.#onLeave, { once: true });
  }

  /** Aborted when the listener's signal is aborted or a limit is reached. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A piece has arrived. */
  heard(): void {
    const { betweenMs } = this.#limits;
    this.#timer.cancel();
    this.#timer = this.#clock.after(betweenMs, () => this.#expire('fell silent', betweenMs));
  }

  /** The listener processes a piece, which does not count; {@link Patience.heard} continues. */
  rest(): void {
    this.#timer.cancel();
  }

  /** Stops the timer and cancels the request if it is still running. */
  end(): void {
    this.#timer.cancel();
    this.#listener.removeEventListener('abort', this.#onLeave);
    this.#controller.abort();
  }

  /**
   * Explains a failure of the request.
   *
   * @returns null if the listener's signal was aborted, which is not a failure
   */
  explain(error: unknown, translate: (error: unknown) => SpeechError): SpeechError | null {
    if (this.#expired) return this.#expired;
    return this.#listener.aborted ? null : translate(error);
  }

  #expire(what: string, limitMs: number): void {
    this.#expired = new SpeechError('timed-out', `The provider ${what} within ${limitMs} ms`);
    this.#controller.abort();
  }
}
