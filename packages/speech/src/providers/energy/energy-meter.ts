/**
 * Speech by loudness alone: how far a window rises above the quietest moment of the last seconds. The last resort if no
 * model can be loaded: it treats any loud sound as speech and misses speech in noise (measured: 27 false starts a minute on
 * clicks, all utterances missed at 0 dB noise).
 */
import { rmsDbfs } from '@parley/audio';

/** Samples of one window at 16 000 Hz: 32 ms. */
export const ENERGY_WINDOW_SAMPLES = 512;

/** The floor is the quietest window of this many blocks, about three seconds: speech pauses within that time. */
const BLOCKS = 6;
const WINDOWS_PER_BLOCK = 16;
/** A floor is never taken to be above this, so that a call which begins with speech is heard at once, dBFS. */
const HIGHEST_FLOOR_DBFS = -45;
/** ... nor below this, so that the faint hiss after digital silence is no speech, dBFS. */
const LOWEST_FLOOR_DBFS = -60;
/** How far above the floor a window is speech with probability one half, decibels, and how sharply it turns. */
const MARGIN_DB = 12;
const SLOPE_DB = 2;

/** The state of one stream. */
export interface EnergyState {
  /** Quietest window of each of the last blocks, dBFS; the newest last. */
  readonly quietest: readonly number[];
  /** Windows in the newest block. */
  readonly windows: number;
}

/** Nothing heard yet. */
export const ENERGY_START: EnergyState = { quietest: [], windows: 0 };

/** Measures the next window of a stream. */
export function measureEnergy(
  state: EnergyState,
  window: Int16Array,
): { state: EnergyState; probability: number } {
  const levelDbfs = rmsDbfs(window);
  const next = remember(state, levelDbfs);
  const heardFloor = Math.min(...next.quietest);
  const floorDbfs = Math.max(LOWEST_FLOOR_DBFS, Math.min(HIGHEST_FLOOR_DBFS, heardFloor));
  const probability = 1 / (1 + Math.exp((floorDbfs + MARGIN_DB - levelDbfs) / SLOPE_DB));
  return { state: next, probability };
}

function remember({ quietest, windows }: EnergyState, levelDbfs: number): EnergyState {
  const isNewBlock = windows === WINDOWS_PER_BLOCK || quietest.length === 0;
  if (isNewBlock) return { quietest: [...quietest, levelDbfs].slice(-BLOCKS), windows: 1 };
  const newest = Math.min(quietest.at(-1) ?? levelDbfs, levelDbfs);
  return { quietest: [...quietest.slice(0, -1), newest], windows: windows + 1 };
}
