/**
 * The built-in recogniser of English: expected phrases by their probability, and free text. One thread serves all calls of
 * the process; it starts, and loads the model, with the first call, whose greeting takes longer, and ends when it has had
 * nothing to do for a while.
 */
import type { Clock, Log } from '@parley/runtime';
import type { Recogniser, RecogniserEvent, RecogniserStream } from '../../ports.ts';
import { Utterance, UTTERANCE_RATE_HZ } from '../../utterance.ts';
import { WorkerConnection } from '../../worker-connection.ts';
import type { MoonshineReply, MoonshineRequest } from './moonshine-message.ts';
import { chooseText } from './phrase-choice.rules.ts';

const FULL_SCALE = 32_768;
const FINAL_WITHIN_MS = 2500;
/** The first utterance also loads the model, on a machine that may be busy. */
const UTTERANCE_LIMIT_MS = 30_000;
/**
 * The thread uses 100 to 180 MB. Within a call that is held for longer than this, the next utterance waits about a second for the
 * model.
 */
const IDLE_LIMIT_MS = 300_000;
/** Only the end of a longer utterance is recognised. */
const LONGEST_SECONDS = 20;
/** The model recognises short utterances worse with more silence around them. */
const PADDING_MS = 200;

/** A recogniser that its owner must close. */
export interface MoonshineRecogniser extends Recogniser {
  close(): Promise<void>;
}

/** Starts nothing yet. */
export function createMoonshineRecogniser(options: { clock: Clock; log: Log }): MoonshineRecogniser {
  const queue = new UtteranceQueue(options);
  return {
    capabilities: {
      hasInterim: false,
      sampleRateHz: UTTERANCE_RATE_HZ,
      finalWithinMs: FINAL_WITHIN_MS,
      endOfTurn: 'none',
    },
    open(_language, onEvent) {
      queue.load();
      return new MoonshineStream(queue, onEvent);
    },
    close: () => queue.close(),
  };
}

/** The utterances of all calls, one after the other. */
class UtteranceQueue {
  readonly #log: Log;
  readonly #thread: WorkerConnection<MoonshineRequest, MoonshineReply>;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#log = log;
    const file = new URL('./moonshine-worker.ts', import.meta.url);
    this.#thread = new WorkerConnection({
      file,
      clock,
      limitMs: UTTERANCE_LIMIT_MS,
      idleLimitMs: IDLE_LIMIT_MS,
      isNative: true,
    });
  }

  /** Loads the model by recognising a moment of silence, if it is not loaded. */
  load(): void {
    if (this.#thread.isRunning) return;
    // It never rejects.
    this.recognise([new Int16Array(UTTERANCE_RATE_HZ / 10)], []).catch(() => undefined);
  }

  /**
   * Never rejects. A failure costs one utterance, not the call: the text is then empty.
   *
   * @param spans - mono, {@link UTTERANCE_RATE_HZ}; each is recognised only if no words were found in those before it
   */
  recognise(spans: readonly Int16Array[], phrases: readonly string[]): Promise<string> {
    const text = this.#after(this.#last, spans, phrases);
    this.#last = text;
    return text;
  }

  close(): Promise<void> {
    return this.#thread.stop();
  }

  async #after(
    earlier: Promise<unknown>,
    spans: readonly Int16Array[],
    phrases: readonly string[],
  ): Promise<string> {
    await earlier;
    for (const span of spans) {
      const text = await this.#text(span, phrases);
      if (text !== '') return text;
    }
    return '';
  }

  async #text(span: Int16Array, phrases: readonly string[]): Promise<string> {
    if (span.length === 0) return '';
    const samples = Float32Array.from(span, (sample) => sample / FULL_SCALE);
    try {
      const reply = await this.#thread.ask({ samples, phrases });
      if (!('fault' in reply)) return chooseText(reply);
      this.#log.warn({ err: new Error(reply.fault) }, 'Moonshine failed; the utterance stays unrecognised');
    } catch (error) {
      this.#log.warn({ err: error }, 'Moonshine failed; the utterance stays unrecognised');
    }
    return '';
  }
}

class MoonshineStream implements RecogniserStream {
  readonly #queue: UtteranceQueue;
  readonly #onEvent: (event: RecogniserEvent) => void;
  readonly #utterance = new Utterance({ longestSeconds: LONGEST_SECONDS, marginMs: PADDING_MS });
  #phrases: readonly string[] = [];
  #isClosed = false;

  constructor(queue: UtteranceQueue, onEvent: (event: RecogniserEvent) => void) {
    this.#queue = queue;
    this.#onEvent = onEvent;
  }

  push(samples: Int16Array): void {
    if (!this.#isClosed) this.#utterance.push(samples);
  }

  expect(phrases: readonly string[]): void {
    this.#phrases = phrases;
  }

  finalise(speechFromMs?: number): void {
    if (this.#isClosed) return;
    const { speech, fromOnset, endMs } = this.#utterance.take(speechFromMs);
    // After 3 s of the keys of a computer the model finds no words in most sentences: none in 19 of 20 of "Yes, that is right."
    const spans = fromOnset.length < speech.length ? [speech, fromOnset] : [speech];
    // The queue keeps the order of the utterances and never rejects.
    this.#queue.recognise(spans, this.#phrases).then(
      (text) => this.#deliver(text, endMs),
      () => {},
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#utterance.clear();
  }

  #deliver(text: string, endMs: number): void {
    if (!this.#isClosed) this.#onEvent({ type: 'final', text, endMs });
  }
}
