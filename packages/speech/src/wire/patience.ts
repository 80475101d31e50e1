/**
 * How long a streamed reply is waited for: a limit until its first piece, another between pieces. One signal stands for
 * both the listener who leaves and the patience that ends, as every client library takes just one.
 */
import type { Clock, Timer } from '@parley/runtime';
import { SpeechError } from '../ports.ts';

/** Both limits in milliseconds. */
export interface PatienceLimits {
  firstMs: number;
  betweenMs: number;
}

/** For one request. Must be ended by {@link Patience.end}, whatever happened. */
export class Patience {
  readonly #clock: Clock;
  readonly #limits: PatienceLimits;
  readonly #listener: AbortSignal;
  readonly #controller = new AbortController();
  readonly #onLeave = (): void => this.#controller.abort();
  #timer: Timer;
  #expired: SpeechError | null = null;

  /** @param listener - the signal of whoever asked */
  constructor(clock: Clock, limits: PatienceLimits, listener: AbortSignal) {
    this.#clock = clock;
    this.#limits = limits;
    this.#listener = listener;
    this.#timer = clock.after(limits.firstMs, () => this.#expire('did not begin to answer', limits.firstMs));
    if (listener.aborted) this.#onLeave();
    listener.addEventListener('abort', this.#onLeave, { once: true });
  }

  /** Aborted when the listener leaves or a limit is reached. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A piece has come. */
  heard(): void {
    const { betweenMs } = this.#limits;
    this.#timer.cancel();
    this.#timer = this.#clock.after(betweenMs, () => this.#expire('fell silent', betweenMs));
  }

  /** A piece is with the listener, who may take their time; {@link Patience.heard} goes on. */
  rest(): void {
    this.#timer.cancel();
  }

  /** Stops the timer and breaks off what is still under way. */
  end(): void {
    this.#timer.cancel();
    this.#listener.removeEventListener('abort', this.#onLeave);
    this.#controller.abort();
  }

  /**
   * What a failure under this patience was.
   *
   * @returns null when the listener had left: then nothing has failed
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
