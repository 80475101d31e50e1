/** A line without a network: frames move when the test says so, and everything the conversation does to it is kept. */
import type { Synthesiser } from '@parley/speech';
import type { AudioLine, AudioTick } from '../src/audio-line.ts';
import { standardPhrase as phrase } from '@parley/script';

const SAMPLE_RATE_HZ = 8000;
const FRAME_SAMPLES = 160;
/** No sample of a hum. */
const FILLER_MARK = 32_123;
const NOTHING = { turn: 0, samples: 0, fillerSamples: 0 };

interface Queued {
  turn: number;
  samples: Int16Array;
}

/** What was sent in one frame. */
export interface SentFrame {
  index: number;
  turn: number;
  samples: number;
  /** The number of these samples that belong to a filler of {@link markedFillers}. */
  fillerSamples: number;
}

export class FakeLine implements AudioLine {
  readonly sampleRateHz: 8000 | 16_000;
  readonly frameSamples: number;
  /** Frames that were not silent, in order. */
  readonly sent: SentFrame[] = [];
  /** Called with `pause`, `lower`, `resume` and `clear` as they are asked for. */
  onOrder: (order: 'pause' | 'lower' | 'resume' | 'clear') => void = () => undefined;
  isPaused = false;
  isLowered = false;
  /** How long the line holds back what it hears. */
  receivedAgoMs = 0;
  /**
   * Frames that are sent after an order and before it takes effect. The media worker is another thread: an order that is
   * posted while a frame is being sent applies to the frame after it.
   */
  lateFrames = 0;
  #orders: { fromIndex: number; run: () => void }[] = [];
  #queue: Queued[] = [];
  #listener: (tick: AudioTick) => void = () => undefined;
  #index = 0;
  /** Voices here make no sound that could come back. */
  readonly #silence: Int16Array;

  /** @param sampleRateHz - at 16 000, nothing is resampled, which takes most of the time of long tests */
  constructor(sampleRateHz: 8000 | 16_000 = SAMPLE_RATE_HZ) {
    this.sampleRateHz = sampleRateHz;
    this.frameSamples = sampleRateHz / 50;
    this.#silence = new Int16Array(this.frameSamples);
  }

  onTick(listener: (tick: AudioTick) => void): void {
    this.#listener = listener;
  }

  play(turn: number, samples: Int16Array): void {
    this.#order(() => void this.#queue.push({ turn, samples }));
  }

  pausePlayout(): void {
    this.#order(() => (this.isPaused = true));
    this.onOrder('pause');
  }

  lowerPlayout(): void {
    this.#order(() => (this.isLowered = true));
    this.onOrder('lower');
  }

  resumePlayout(): void {
    this.#order(() => (this.isPaused = this.isLowered = false));
    this.onOrder('resume');
  }

  clear(): void {
    this.#order(() => (this.#queue = []));
    this.onOrder('clear');
  }

  /** End of the newest frame, milliseconds. */
  nowMs(): number {
    return this.#index * 20;
  }

  /** The call has lasted so long before anybody looked. */
  skipTo(ms: number): void {
    this.#index = ms / 20;
  }

  queuedSamples(): number {
    return this.#queue.reduce((sum, { samples }) => sum + samples.length, 0);
  }

  /** Lets one frame pass in both directions. */
  tick(isCallerSpeaking: boolean): void {
    this.tickWith(frame(isCallerSpeaking));
  }

  /** The same, with 20 ms of any sound from the far end. */
  tickWith(received: Int16Array): void {
    const index = this.#index++;
    this.#followOrders(index);
    const { turn, samples, fillerSamples } = this.isPaused ? NOTHING : this.#take();
    if (samples > 0) this.sent.push({ index, turn, samples, fillerSamples });
    const { receivedAgoMs } = this;
    const sent = this.#silence;
    this.#listener({ index, received, receivedAgoMs, sent, sentTurn: turn, sentSamples: samples });
  }

  /** Runs an order now, or before the frame from which it applies. */
  #order(run: () => void): void {
    if (this.lateFrames === 0 && this.#orders.length === 0) return run();
    this.#orders.push({ fromIndex: this.#index + this.lateFrames, run });
  }

  /** Runs the orders that are still under way. */
  followAllOrders(): void {
    this.#followOrders(Infinity);
  }

  #followOrders(index: number): void {
    while (this.#orders[0] && this.#orders[0].fromIndex <= index) this.#orders.shift()?.run();
  }

  /** Up to a frame of one turn, as the media worker does it. */
  #take(): Omit<SentFrame, 'index'> {
    const turn = this.#queue[0]?.turn ?? 0;
    let samples = 0;
    let fillerSamples = 0;
    while (samples < this.frameSamples && this.#queue[0]?.turn === turn) {
      const first = this.#queue[0];
      const count = Math.min(first.samples.length, this.frameSamples - samples);
      samples += count;
      if (first.samples[0] === FILLER_MARK) fillerSamples += count;
      first.samples = first.samples.subarray(count);
      if (first.samples.length === 0) this.#queue.shift();
    }
    return { turn, samples, fillerSamples };
  }
}

/** Says the engine's own fillers as one long value, by which the line tells them from words. */
export function markedFillers(synthesiser: Synthesiser): Synthesiser {
  const fillers = new Set([phrase('moment', 'en'), phrase('patience', 'en')]);
  return {
    capabilities: synthesiser.capabilities,
    async *speak(text, options, signal) {
      for await (const samples of synthesiser.speak(text, options, signal))
        yield fillers.has(text) ? samples.fill(FILLER_MARK) : samples;
    },
  };
}

/** Two tones, as one alone would be a beep, far above what the fake detector takes for speech; or silence. */
function frame(isLoud: boolean): Int16Array {
  const samples = new Int16Array(FRAME_SAMPLES);
  if (!isLoud) return samples;
  const sine = (hz: number, n: number): number => 5000 * Math.sin((2 * Math.PI * hz * n) / SAMPLE_RATE_HZ);
  return samples.map((_sample, n) => Math.round(sine(500, n) + sine(800, n)));
}
