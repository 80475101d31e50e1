/** A line without a network: frames move when the test says so, and everything the conversation does to it is kept. */
import type { AudioLine, AudioTick } from '../src/audio-line.ts';

const SAMPLE_RATE_HZ = 8000;
const FRAME_SAMPLES = 160;

interface Queued {
  turn: number;
  samples: Int16Array;
}

/** What was sent in one frame. */
export interface SentFrame {
  index: number;
  turn: number;
  samples: number;
}

export class FakeLine implements AudioLine {
  readonly sampleRateHz = SAMPLE_RATE_HZ;
  readonly frameSamples = FRAME_SAMPLES;
  /** Frames that were not silent, in order. */
  readonly sent: SentFrame[] = [];
  /** Told of `pause`, `resume` and `clear` as they are asked for. */
  onOrder: (order: 'pause' | 'resume' | 'clear') => void = () => undefined;
  isPaused = false;
  #queue: Queued[] = [];
  #listener: (tick: AudioTick) => void = () => undefined;
  #index = 0;

  onTick(listener: (tick: AudioTick) => void): void {
    this.#listener = listener;
  }

  play(turn: number, samples: Int16Array): void {
    this.#queue.push({ turn, samples });
  }

  pausePlayout(): void {
    this.isPaused = true;
    this.onOrder('pause');
  }

  resumePlayout(): void {
    this.isPaused = false;
    this.onOrder('resume');
  }

  clear(): void {
    this.#queue = [];
    this.onOrder('clear');
  }

  /** End of the newest frame, milliseconds. */
  nowMs(): number {
    return this.#index * 20;
  }

  queuedSamples(): number {
    return this.#queue.reduce((sum, { samples }) => sum + samples.length, 0);
  }

  /** Lets one frame pass in both directions. */
  tick(isCallerSpeaking: boolean): void {
    const index = this.#index++;
    const { turn, samples } = this.isPaused ? { turn: 0, samples: 0 } : this.#take();
    if (samples > 0) this.sent.push({ index, turn, samples });
    this.#listener({ index, received: frame(isCallerSpeaking), sentTurn: turn, sentSamples: samples });
  }

  /** Up to a frame of one turn, as the media worker does it. */
  #take(): { turn: number; samples: number } {
    const turn = this.#queue[0]?.turn ?? 0;
    let samples = 0;
    while (samples < FRAME_SAMPLES && this.#queue[0]?.turn === turn) {
      const first = this.#queue[0];
      const count = Math.min(first.samples.length, FRAME_SAMPLES - samples);
      samples += count;
      first.samples = first.samples.subarray(count);
      if (first.samples.length === 0) this.#queue.shift();
    }
    return { turn, samples };
  }
}

/** 500 Hz, far above what the fake detector takes for speech; or silence. */
function frame(isLoud: boolean): Int16Array {
  const samples = new Int16Array(FRAME_SAMPLES);
  if (!isLoud) return samples;
  return samples.map((_sample, n) => Math.round(8000 * Math.sin((2 * Math.PI * 500 * n) / SAMPLE_RATE_HZ)));
}
