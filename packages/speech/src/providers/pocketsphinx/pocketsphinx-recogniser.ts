/**
 * The built-in recogniser: recognises only the expected phrases, in English. Any other speech becomes an empty final, so that
 * the dialogue can ask again. It needs two Debian packages; without them there is no recogniser, and callers use keys.
 */
import type { Clock, Log } from '@parley/runtime';
import type { Recogniser, RecogniserEvent, RecogniserStream } from '../../ports.ts';
import { PhraseDecoder } from './phrase-decoder.ts';
import { findPocketSphinx, type PocketSphinxFiles } from './pocketsphinx-files.ts';
import { speechSpan, withNoiseFloor } from './speech-span.ts';

const SAMPLE_RATE_HZ = 16_000;
/** Two processes of 30 ms each; on a machine that is busy they may have to wait for it. */
const FINAL_WITHIN_MS = 2500;
/** Only the end of a longer utterance is looked at: no phrase takes that long. */
const LONGEST_SAMPLES = 8 * SAMPLE_RATE_HZ;

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
      sampleRateHz: SAMPLE_RATE_HZ,
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
  #phrases: readonly string[] = [];
  #pieces: Int16Array[] = [];
  #keptSamples = 0;
  #pushedSamples = 0;
  #lastTold: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(decoder: PhraseDecoder, log: Log, onEvent: (event: RecogniserEvent) => void) {
    this.#decoder = decoder;
    this.#log = log;
    this.#onEvent = onEvent;
  }

  push(samples: Int16Array): void {
    if (this.#isClosed) return;
    this.#pieces.push(samples.slice());
    this.#keptSamples += samples.length;
    this.#pushedSamples += samples.length;
    while (this.#keptSamples - (this.#pieces[0]?.length ?? 0) > LONGEST_SAMPLES)
      this.#keptSamples -= this.#pieces.shift()?.length ?? 0;
  }

  expect(phrases: readonly string[]): void {
    this.#phrases = phrases;
  }

  finalise(): void {
    if (this.#isClosed) return;
    const endMs = (this.#pushedSamples * 1000) / SAMPLE_RATE_HZ;
    const text = this.#recognise(speechSpan(joined(this.#pieces, this.#keptSamples)), this.#phrases);
    this.#pieces = [];
    this.#keptSamples = 0;
    this.#lastTold = this.#tellAfter(this.#lastTold, text, endMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#pieces = [];
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

function joined(pieces: readonly Int16Array[], sampleCount: number): Int16Array {
  const whole = new Int16Array(sampleCount);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
