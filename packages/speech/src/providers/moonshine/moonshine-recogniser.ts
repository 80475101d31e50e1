/**
 * The built-in recogniser of English: expected phrases by their probability, and free text. One thread serves all calls of
 * the process; it starts, and loads the model, with the first call, whose greeting takes longer.
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
  #isLoading = false;

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#log = log;
    const file = new URL('./moonshine-worker.ts', import.meta.url);
    this.#thread = new WorkerConnection({ file, clock, limitMs: UTTERANCE_LIMIT_MS, isNative: true });
  }

  /** Loads the model by recognising a moment of silence, once. */
  load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    // It never rejects.
    this.recognise({ samples: new Float32Array(UTTERANCE_RATE_HZ / 10), phrases: [] }).catch(() => undefined);
  }

  /** Never rejects. A failure costs one utterance, not the call: the text is then empty. */
  recognise(request: MoonshineRequest): Promise<string> {
    const text = this.#after(this.#last, request);
    this.#last = text;
    return text;
  }

  close(): Promise<void> {
    return this.#thread.stop();
  }

  async #after(earlier: Promise<unknown>, request: MoonshineRequest): Promise<string> {
    await earlier;
    try {
      if (request.samples.length === 0) return '';
      const reply = await this.#thread.ask(request);
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
    const { speech, endMs } = this.#utterance.take(speechFromMs);
    const samples = Float32Array.from(speech, (sample) => sample / FULL_SCALE);
    const request = { samples, phrases: this.#phrases };
    // The queue keeps the order of the utterances and never rejects.
    this.#queue.recognise(request).then(
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
