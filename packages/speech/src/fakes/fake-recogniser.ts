/** A recogniser that hears what the test says it hears, one text for each finalised utterance. */
import type { Clock, Timer } from '@parley/runtime';
import type { Recogniser, RecogniserEvent, RecogniserStream, SpeechError } from '../ports.ts';

const SAMPLE_RATE_HZ = 16_000;

/** @see createFakeRecogniser */
export interface FakeRecogniserOptions {
  clock: Clock;
  /** What the utterances of a stream turn out to be, in order; after the last one, nothing is understood. */
  utterances: readonly (string | SpeechError)[];
  /** From `finalise` to the final, milliseconds; 0 unless given, and then in a later microtask. */
  finalAfterMs?: number;
  /** True sends the first words as an interim with the first sound of an utterance. */
  hasInterim?: boolean;
}

/** An utterance without any sound is answered by an empty final and takes nothing from the script. */
export function createFakeRecogniser(options: FakeRecogniserOptions): Recogniser {
  return {
    capabilities: {
      hasInterim: options.hasInterim ?? false,
      sampleRateHz: SAMPLE_RATE_HZ,
      finalWithinMs: options.finalAfterMs ?? 0,
      endOfTurn: 'none',
    },
    open: (_language, onEvent) => new FakeStream(options, onEvent),
  };
}

class FakeStream implements RecogniserStream {
  readonly #options: FakeRecogniserOptions;
  readonly #onEvent: (event: RecogniserEvent) => void;
  readonly #timers = new Set<Timer>();
  #utterance = 0;
  #samples = 0;
  #samplesOfUtterance = 0;
  #isClosed = false;

  constructor(options: FakeRecogniserOptions, onEvent: (event: RecogniserEvent) => void) {
    this.#options = options;
    this.#onEvent = onEvent;
  }

  push(samples: Int16Array): void {
    if (samples.length === 0) return;
    if (this.#options.hasInterim && this.#samplesOfUtterance === 0) this.#sendInterim();
    this.#samples += samples.length;
    this.#samplesOfUtterance += samples.length;
  }

  finalise(): void {
    const outcome = this.#samplesOfUtterance > 0 ? (this.#options.utterances[this.#utterance++] ?? '') : '';
    const endMs = (this.#samples * 1000) / SAMPLE_RATE_HZ;
    this.#samplesOfUtterance = 0;
    this.#later(
      typeof outcome === 'string'
        ? { type: 'final', text: outcome, endMs }
        : { type: 'failed', error: outcome },
    );
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #sendInterim(): void {
    const outcome = this.#options.utterances[this.#utterance];
    if (typeof outcome !== 'string') return;
    const text = outcome.split(' ').slice(0, 2).join(' ');
    queueMicrotask(() => this.#send({ type: 'interim', text }));
  }

  #later(event: RecogniserEvent): void {
    if (!this.#options.finalAfterMs) return queueMicrotask(() => this.#send(event));
    const timer = this.#options.clock.after(this.#options.finalAfterMs, () => {
      this.#timers.delete(timer);
      this.#send(event);
    });
    this.#timers.add(timer);
  }

  #send(event: RecogniserEvent): void {
    if (!this.#isClosed) this.#onEvent(event);
  }
}
