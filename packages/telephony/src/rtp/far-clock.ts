/**
 * How fast the far end's clock runs by ours, from the timestamps of its packets and the instants at which they come.
 *
 * Packets are late by chance and never early by chance: of each second, the packet that is furthest ahead counts. How far
 * ahead it is must stay as it was in the first second. What it gains or loses is taken back over the next seconds by
 * reading faster or slower, and what had to be taken back again and again is the difference of the clocks.
 *
 *     ahead (samples) = timestamp of the packet's end - (timestamp read by now, were everything read as it comes)
 *
 * A loop of the second order with a damping of 1: a clock 200 ppm off moves the sound by about half a millisecond before
 * it is followed, and not afterwards. docs/decisions/recording-clock.md
 */
import { timestampDistance } from './rtp-packet.ts';

/** Frames of which the packet furthest ahead is taken: one second. */
const WINDOW_FRAMES = 50;
/** Fewer packets in a window say nothing. */
const FEWEST_PACKETS = 10;
/** Of what is to be taken back, so much a second: much while the clock is not known yet, then little, which is calmer. */
const TAKEN_BACK_AT_FIRST = 0.6;
const TAKEN_BACK_LATER = 0.2;
const FIRST_WINDOWS = 12;
/** More than that is no drift: the route or the far end has changed, and what follows is measured from there. */
const JUMP_MS = 10;
/** Nobody hears a pitch that is 0.3 per cent off (5 cents), and crystals are ten times better. */
const LARGEST_DIFFERENCE = 0.003;

/** One far end. Instants are milliseconds of our monotonic clock. */
export class FarClock {
  readonly #samplesPerMs: number;
  readonly #frameSamples: number;
  /** Timestamp from which is counted; null before the first packet. */
  #origin: number | null = null;
  /** Samples from there to what is read at the newest tick, fractions included. */
  #elapsed = 0;
  /** Null before the first tick: what comes earlier cannot be compared with anything. */
  #tickMs: number | null = null;
  #framesOfWindow = 0;
  #packetsOfWindow = 0;
  #furthestAhead = -Infinity;
  /** What {@link #furthestAhead} has to be; null before the first whole window. */
  #reference: number | null = null;
  /** Since the call began: what was learned about a clock outlives its streams. */
  #windowsJudged = 0;
  /** By how much the far end's clock is faster, as a fraction. */
  #difference = 0;
  #speed = 1;

  constructor({ sampleRateHz, frameSamples }: { sampleRateHz: number; frameSamples: number }) {
    this.#samplesPerMs = sampleRateHz / 1000;
    this.#frameSamples = frameSamples;
  }

  /** Samples of the far end in the time of one of ours. */
  get speed(): number {
    return this.#speed;
  }

  /** Samples from the newest tick until then; 0 before the first. */
  sinceTick(instantMs: number): number {
    return (instantMs - (this.#tickMs ?? instantMs)) * this.#samplesPerMs;
  }

  /** Takes note of a packet. @param end - timestamp after its last sample, of one and the same stream */
  arrived(end: number, arrivalMs: number): void {
    if (this.#tickMs === null) return;
    this.#origin ??= end;
    this.#furthestAhead = Math.max(this.#furthestAhead, this.#ahead(end, arrivalMs));
    this.#packetsOfWindow++;
  }

  /** By how many samples a packet is later than the quickest usually are; 0 while that is not known. */
  lateness(end: number, arrivalMs: number): number {
    return this.#reference === null ? 0 : this.#reference - this.#ahead(end, arrivalMs);
  }

  /** A frame time has passed. @param tickMs - when it was due, however late it is */
  tick(tickMs: number): void {
    this.#tickMs = tickMs;
    if (this.#origin === null) return;
    this.#elapsed += this.#frameSamples * this.#speed;
    if (++this.#framesOfWindow === WINDOW_FRAMES) this.#judge();
  }

  /** Another stream comes, maybe of another far end; until it says otherwise its clock is taken to be the same. */
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
    const share = this.#windowsJudged++ < FIRST_WINDOWS ? TAKEN_BACK_AT_FIRST : TAKEN_BACK_LATER;
    // A quarter of the square makes the damping 1.
    this.#difference = limited(this.#difference + (share ** 2 / 4) * error);
    this.#speed = 1 + limited(this.#difference + share * error);
  }

  /** By how much the packets come too early for the speed that was read at; 0 where the window does not say. */
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
