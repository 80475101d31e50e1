/**
 * Voice activity without a model. What counts as speech is decided by level, or by a plan of times. Windows have the
 * length of the real detector's, and answers come in a later microtask, as they do from a thread.
 */
import type { VoiceActivityDetector, VoiceActivityStream } from '../ports.ts';

/** 32 ms at 16 000 Hz, as Silero has it. */
const WINDOW_SAMPLES = 512;
const SAMPLES_PER_MS = 16;
/** -30 dB below full scale: tests speak in tones far above it and are silent below it. */
const SPEECH_LEVEL = 1000;

/** Times count in milliseconds of sound pushed into a stream. */
export interface FakeDetectorOptions {
  /** Without a plan, a window is speech when its peak is loud enough. */
  speech?: readonly { fromMs: number; toMs: number }[];
}

/** @see FakeDetectorOptions */
export function createFakeDetector(options: FakeDetectorOptions = {}): VoiceActivityDetector {
  const streams = new Set<FakeStream>();
  return {
    open(onWindow) {
      const stream = new FakeStream(options, onWindow);
      streams.add(stream);
      return stream;
    },
    async close() {
      for (const stream of streams) stream.close();
      await Promise.resolve();
    },
  };
}

class FakeStream implements VoiceActivityStream {
  readonly #options: FakeDetectorOptions;
  readonly #onWindow: (probability: number, endMs: number) => void;
  #filled = 0;
  #peak = 0;
  #windows = 0;
  #isClosed = false;

  constructor(options: FakeDetectorOptions, onWindow: (probability: number, endMs: number) => void) {
    this.#options = options;
    this.#onWindow = onWindow;
  }

  push(samples: Int16Array): void {
    for (const sample of samples) {
      this.#peak = Math.max(this.#peak, Math.abs(sample));
      if (++this.#filled === WINDOW_SAMPLES) this.#endWindow();
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  #endWindow(): void {
    const endMs = (++this.#windows * WINDOW_SAMPLES) / SAMPLES_PER_MS;
    const middleMs = endMs - WINDOW_SAMPLES / SAMPLES_PER_MS / 2;
    const isSpeech = this.#options.speech
      ? this.#options.speech.some(({ fromMs, toMs }) => middleMs >= fromMs && middleMs < toMs)
      : this.#peak >= SPEECH_LEVEL;
    this.#filled = 0;
    this.#peak = 0;
    queueMicrotask(() => {
      if (!this.#isClosed) this.#onWindow(isSpeech ? 0.99 : 0.01, endMs);
    });
  }
}
