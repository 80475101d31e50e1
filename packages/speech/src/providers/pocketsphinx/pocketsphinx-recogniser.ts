/**
 * The built-in recogniser: recognises only the expected phrases, in English. Any other speech becomes an empty final, so that
 * the dialogue can ask again. It needs two Debian packages; without them there is no recogniser, and callers use keys.
 */
import type { Clock, Log } from '@parley/runtime';
import type { Recogniser, RecogniserEvent, RecogniserStream } from '../../ports.ts';
import { Utterance, UTTERANCE_RATE_HZ } from '../../utterance.ts';
import { PhraseDecoder } from './phrase-decoder.ts';
import { findPocketSphinx, type PocketSphinxFiles } from './pocketsphinx-files.ts';
import { withNoiseFloor } from './noise-floor.ts';

/** Two processes of 30 ms each; on a machine that is busy they may have to wait for it. */
const FINAL_WITHIN_MS = 2500;
/** No phrase takes longer. */
const LONGEST_SECONDS = 8;
const MARGIN_MS = 300;

/** Recognises expected phrases only. Its owner closes it. */
export interface PhraseRecogniser extends Recogniser {
  close(): Promise<void>;
}

/**
 * @param options - `files` other than where Debian puts them, for tests
 * @returns null where PocketSphinx is not installed
 */
export function createPhraseRecogniser(options: {
  clock: Clock;
  log: Log;
  files?: PocketSphinxFiles;
}): PhraseRecogniser | null {
  const files = options.files ?? findPocketSphinx();
  if (!files) return null;
  const decoder = new PhraseDecoder({ ...options, files });
  return {
    capabilities: {
      hasInterim: false,
      sampleRateHz: UTTERANCE_RATE_HZ,
      finalWithinMs: FINAL_WITHIN_MS,
      endOfTurn: 'none',
    },
    open: (_language, onEvent) => new PhraseStream(decoder, options.log, onEvent),
    close: () => decoder.close(),
  };
}

class PhraseStream implements RecogniserStream {
  readonly #decoder: PhraseDecoder;
  readonly #log: Log;
  readonly #onEvent: (event: RecogniserEvent) => void;
  readonly #utterance = new Utterance({ longestSeconds: LONGEST_SECONDS, marginMs: MARGIN_MS });
  #phrases: readonly string[] = [];
  #lastTold: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(decoder: PhraseDecoder, log: Log, onEvent: (event: RecogniserEvent) => void) {
    this.#decoder = decoder;
    this.#log = log;
    this.#onEvent = onEvent;
  }

  push(samples: Int16Array): void {
    if (!this.#isClosed) this.#utterance.push(samples);
  }

  expect(phrases: readonly string[]): void {
    this.#phrases = phrases;
  }

  finalise(): void {
    if (this.#isClosed) return;
    const { speech, endMs } = this.#utterance.take();
    const text = this.#recognise(speech, this.#phrases);
    this.#lastTold = this.#tellAfter(this.#lastTold, text, endMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#utterance.clear();
  }

  /** Finals come in the order of the utterances. */
  async #tellAfter(earlier: Promise<void>, coming: Promise<string>, endMs: number): Promise<void> {
    const text = await coming;
    await earlier;
    if (!this.#isClosed) this.#onEvent({ type: 'final', text, endMs });
  }

  /** A program that fails costs one utterance, not the call: the dialogue asks again, and keys go on working. */
  async #recognise(samples: Int16Array, phrases: readonly string[]): Promise<string> {
    if (samples.length === 0 || phrases.length === 0) return '';
    try {
      return (await this.#decoder.decode(withNoiseFloor(samples), phrases)) ?? '';
    } catch (error) {
      this.#log.warn({ err: error }, 'PocketSphinx failed; the utterance stays unrecognised');
      return '';
    }
  }
}
