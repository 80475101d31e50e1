/**
 * Estimates the far end's clock rate relative to ours, from the timestamps and arrival times of its packets.
 *
 * The network delays packets at random but never delivers them early. So the earliest packet of each second counts: its
 * lead must stay as it was in the first second. A change of the lead is corrected over the next seconds by reading faster or
 * slower; a correction that persists is the difference of the clocks.
 *
 *     lead (samples) = timestamp of the packet's end - (timestamp reached by reading at the arrival time)
 *
 * A second-order control loop with critical damping: a clock that is 200 ppm off shifts the audio by about half a
 * millisecond until the loop has settled, and not at all afterwards. docs/decisions/recording-clock.md
 */
import { timestampDistance } from './rtp-packet.ts';

/** Length of a window, of which the packet with the largest lead counts, in frames: one second. */
const WINDOW_FRAMES = 50;
/** A window with fewer packets is ignored. */
const FEWEST_PACKETS = 10;
/** Loop gain, the share of the error that is corrected per second: high at first, low once the clock is known. */
const FIRST_GAIN = 0.6;
const SETTLED_GAIN = 0.2;
const FIRST_WINDOWS = 12;
/** A larger error is not drift but a change of the route or the far end; the reference is set again. */
const JUMP_MS = 10;
/** A pitch shift of 0.3 % (5 cents) is inaudible, and quartz clocks are ten times more accurate. */
const LARGEST_DIFFERENCE = 0.003;

/** The clock of one far end. Instants are milliseconds of our monotonic clock. */
export class FarClock {
  readonly #samplesPerMs: number;
  readonly #frameSamples: number;
  /** The timestamp at which counting starts; null before the first packet. */
  #origin: number | null = null;
  /** Samples from the origin to the reading position at the latest tick, with fractions. */
  #elapsed = 0;
  /** Null before the first tick. */
  #tickMs: number | null = null;
  #framesOfWindow = 0;
  #packetsOfWindow = 0;
  #furthestAhead = -Infinity;
  /** The target of {@link #furthestAhead}; null before the first complete window. */
  #reference: number | null = null;
  /** Counted since the start of the call: knowledge about a clock outlives its streams. */
  #windowsJudged = 0;
  /** Relative difference of the clocks; positive if the far end's is faster. */
  #difference = 0;
  #speed = 1;

  constructor({ sampleRateHz, frameSamples }: { sampleRateHz: number; frameSamples: number }) {
    this.#samplesPerMs = sampleRateHz / 1000;
    this.#frameSamples = frameSamples;
  }

  /** Samples of the far end per sample of ours. */
  get speed(): number {
    return this.#speed;
  }

  /** Samples from the latest tick to that instant; 0 before the first tick. */
  sinceTick(instantMs: number): number {
    return (instantMs - (this.#tickMs ?? instantMs)) * this.#samplesPerMs;
  }

  /** Records the arrival of a packet. @param end - timestamp after its last sample, within one stream */
  arrived(end: number, arrivalMs: number): void {
    if (this.#tickMs === null) return;
    this.#origin ??= end;
    this.#furthestAhead = Math.max(this.#furthestAhead, this.#ahead(end, arrivalMs));
    this.#packetsOfWindow++;
  }

  /** The number of samples by which a packet is later than the earliest packets usually are; 0 while that is unknown. */
  lateness(end: number, arrivalMs: number): number {
    return this.#reference === null ? 0 : this.#reference - this.#ahead(end, arrivalMs);
  }

  /** A frame has elapsed. @param tickMs - when it was due */
  tick(tickMs: number): void {
    this.#tickMs = tickMs;
    if (this.#origin === null) return;
    this.#elapsed += this.#frameSamples * this.#speed;
    if (++this.#framesOfWindow === WINDOW_FRAMES) this.#judge();
  }

  /** Another stream starts. Its clock is assumed to be the same until its packets show otherwise. */
  restart(): void {
    this.#origin = null;
    this.#elapsed = 0;
    this.#reference = null;
    this.#startWindow();
  }

  #ahead(end: number, arrivalMs: number): number {
    const whole = Math.floor(this.#elapsed);
    const position = ((this.#origin ?? end) + whole) >>> 0;
    return timestampDistance(end, position) - (this.#elapsed - whole) - this.sinceTick(arrivalMs);
  }

  #judge(): void {
    const error = this.#errorMs() / 1000;
    this.#startWindow();
    const gain = this.#windowsJudged++ < FIRST_WINDOWS ? FIRST_GAIN : SETTLED_GAIN;
    // An integral gain of a quarter of the square makes the damping critical.
    this.#difference = limited(this.#difference + (gain ** 2 / 4) * error);
    this.#speed = 1 + limited(this.#difference + gain * error);
  }

  /** How much too early the packets arrive for the reading speed; 0 if the window does not tell. */
  #errorMs(): number {
    if (this.#packetsOfWindow < FEWEST_PACKETS) return 0;
    const errorMs = (this.#furthestAhead - (this.#reference ?? Infinity)) / this.#samplesPerMs;
    if (Math.abs(errorMs) <= JUMP_MS) return errorMs;
    this.#reference = this.#furthestAhead;
    return 0;
  }

  #startWindow(): void {
    this.#framesOfWindow = 0;
    this.#packetsOfWindow = 0;
    this.#furthestAhead = -Infinity;
  }
}

function limited(difference: number): number {
  return Math.max(-LARGEST_DIFFERENCE, Math.min(LARGEST_DIFFERENCE, difference));
}
