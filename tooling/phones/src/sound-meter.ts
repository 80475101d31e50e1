/** Summarises the received audio of a call: its duration, its level, and the test tones in it. */
import { Framer, rmsDbfs, SILENCE_DBFS, tonePurity } from '@parley/audio';

/** The noise threshold: speech is above it, line noise below. */
export const MURMUR_DBFS = -40;
/** Tones that tests play. */
const TEST_TONES_HZ = [400, 440, 600, 1000];
/** Long enough to distinguish these tones. */
const WINDOW_MS = 100;
const PURE = 0.9;

/** The summary for the log. */
export interface SoundSummary {
  loudMs: number;
  levelDbfs: number;
  tonesMs: Record<string, number>;
}

/** Measures one call. */
export class SoundMeter {
  readonly #sampleRateHz: number;
  readonly #window: Framer;
  #loudWindows = 0;
  #loudEnergy = 0;
  readonly #toneWindows = new Map<number, number>();

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#window = new Framer((sampleRateHz * WINDOW_MS) / 1000);
  }

  hear(samples: Int16Array): void {
    this.#window.push(samples, (window) => this.#measure(window));
  }

  summary(): SoundSummary {
    const level =
      this.#loudWindows === 0 ? SILENCE_DBFS : 10 * Math.log10(this.#loudEnergy / this.#loudWindows);
    const tones = [...this.#toneWindows].map(([hz, windows]) => [String(hz), windows * WINDOW_MS] as const);
    return {
      loudMs: this.#loudWindows * WINDOW_MS,
      levelDbfs: Math.round(level * 10) / 10,
      tonesMs: Object.fromEntries(tones),
    };
  }

  #measure(window: Int16Array): void {
    const level = rmsDbfs(window);
    if (level < MURMUR_DBFS) return;
    this.#loudWindows++;
    this.#loudEnergy += 10 ** (level / 10);
    const hz = TEST_TONES_HZ.find((candidate) => tonePurity(window, candidate, this.#sampleRateHz) > PURE);
    if (hz !== undefined) this.#toneWindows.set(hz, (this.#toneWindows.get(hz) ?? 0) + 1);
  }
}
