/**
 * Turns packets that arrive early, late, twice or out of order into one frame of audio every 20 ms.
 *
 * Audio is stored in a ring at its timestamp, so that order, duplicates and packet length need no special handling. A read
 * position moves through the ring. Its distance from the newest packets is the delay, which adapts:
 *
 *   - it starts 40 ms behind the first packet;
 *   - a packet that arrives too late holds the read position for a frame, up to a delay of 120 ms;
 *   - when every packet of 3 s had a margin of more than 20 ms, all but 10 ms of the margin are skipped with a cross-fade;
 *     when the margin is more than 100 ms, a frame is skipped after half a second.
 *
 * The margin assumes the worst phase between arrival and reading, in which a packet is needed up to a frame before it is
 * played: the packets of a sender with another clock pass through all phases.
 *
 * Clock drift of the sender is followed by reading a sample more or less now and then (far-clock.ts). So a frame need not
 * start at a packet boundary, and missing audio is reported per sample.
 *
 * It has no clock and no socket: only `put` and `take` change it.
 */
import { clip } from '@parley/audio';
import { timestampDistance } from './rtp-packet.ts';

const START_DELAY_MS = 40;
/** A late packet does not increase the delay beyond this depth. */
const LARGEST_GROWN_DEPTH_MS = 120;
/** A larger depth means a burst after a stall: the oldest audio is skipped, so that the delay does not stay large. */
const LARGEST_DEPTH_MS = 400;
const DEPTH_AFTER_SKIP_MS = 100;
/** A sender that resumes after a longer pause starts with the initial delay. */
const PAUSE_MS = 200;
const QUICK_SHRINK_SPARE_MS = 100;
const QUICK_SHRINK_AFTER_FRAMES = 25;
const SHRINK_SPARE_MS = 20;
const SHRINK_AFTER_FRAMES = 150;
/** The margin that remains after the delay has been reduced. */
const SPARE_KEPT_MS = 10;

const NOTHING = 0;
const WAITING = 1;
const PLAYED = 2;

/** What happened to a packet. */
export type PutResult = 'taken' | 'duplicate' | 'late';
/** `missing`: some or all samples of the frame are missing. `idle`: nothing has been received yet. */
export type TakeResult = 'sound' | 'missing' | 'idle';

/** The parameters of a buffer. */
export interface JitterBufferOptions {
  sampleRateHz: number;
  frameSamples: number;
  /** The delay of the next stage, for which the buffer compensates by reading ahead. Default 0. */
  aheadSamples?: number;
}

/** The buffer of one received stream. Sizes in samples. */
export class JitterBuffer {
  readonly #frameSamples: number;
  readonly #aheadSamples: number;
  readonly #samplesPerMs: number;
  /** Audio at `timestamp % length`; the length is a power of two, so that it divides the 2^32 of the timestamps. */
  readonly #ring: Int16Array;
  /** The state of every sample of the ring: nothing received, waiting, or played. */
  readonly #states: Uint8Array;
  #isRunning = false;
  /** Timestamp of the next sample to read. */
  #readAt = 0;
  /** Timestamp after the newest sample received. */
  #newestEnd = 0;
  #shouldHold = false;
  /** The shortest time from the arrival of a packet to its playout, samples. */
  #smallestLead = Infinity;
  #framesObserved = 0;

  constructor({ sampleRateHz, frameSamples, aheadSamples = 0 }: JitterBufferOptions) {
    this.#frameSamples = frameSamples;
    this.#aheadSamples = aheadSamples;
    this.#samplesPerMs = sampleRateHz / 1000;
    const length = 2 ** Math.ceil(Math.log2(sampleRateHz));
    this.#ring = new Int16Array(length);
    this.#states = new Uint8Array(length);
  }

  /** Milliseconds of audio from the read position to the newest sample; negative if it has read beyond that. */
  get depthMs(): number {
    return this.#isRunning ? this.#depth() / this.#samplesPerMs : 0;
  }

  /** Timestamp after the newest sample while audio is waiting, otherwise null. */
  get waitingUntil(): number | null {
    return this.#isRunning && this.#depth() > 0 ? this.#newestEnd : null;
  }

  /** Forgets the stream; the next packet starts a new one. */
  reset(): void {
    this.#states.fill(NOTHING);
    this.#isRunning = false;
    this.#shouldHold = false;
    this.#observeAnew();
  }

  /**
   * Takes the decoded audio of a packet, at most half a second.
   *
   * @param sinceTake - time since the last frame was taken, in samples
   */
  put(timestamp: number, samples: Int16Array, sinceTake = 0): PutResult {
    if (!this.#isRunning || this.#isElsewhere(timestamp, samples.length)) this.#startAt(timestamp);
    const margin = timestampDistance(timestamp, this.#readAt);
    if (margin + samples.length <= 0) return this.#putLate(timestamp, samples);
    if (this.#hasAll(timestamp, samples.length, WAITING)) return 'duplicate';
    this.#smallestLead = Math.min(this.#smallestLead, margin + this.#frameSamples - sinceTake);
    if (margin < 0) this.#shouldHold = true;
    this.#store(timestamp, samples);
    return 'taken';
  }

  /**
   * Reads the next frame, of the usual length or about it.
   *
   * @param isThere - as long as `frame`; set to 1 for each received sample and to 0 for the others, which are silent
   */
  take(frame: Int16Array, isThere: Uint8Array): TakeResult {
    frame.fill(0);
    isThere.fill(0);
    if (!this.#isRunning) return 'idle';
    if (this.#holds()) return 'missing';
    const isWhole = this.#read(frame, isThere);
    const spare = this.#spareToDrop();
    if (spare > 0 && isWhole) this.#leaveOut(spare, frame);
    return isWhole ? 'sound' : 'missing';
  }

  #depth(): number {
    return timestampDistance(this.#newestEnd, this.#readAt);
  }

  /** Whether a packet is too far from the read position for the ring: the sender has reset its timestamps. */
  #isElsewhere(timestamp: number, length: number): boolean {
    const margin = timestampDistance(timestamp, this.#readAt);
    return margin > this.#ring.length - length || margin < -this.#ring.length;
  }

  #startAt(timestamp: number, delayMs = START_DELAY_MS): void {
    this.reset();
    this.#isRunning = true;
    this.#readAt = (timestamp - delayMs * this.#samplesPerMs + this.#aheadSamples) >>> 0;
    this.#newestEnd = timestamp;
  }

  /**
   * A packet that arrives after its playout time. While newer ones wait, it is lost. When it is the newest, the whole stream
   * has become later, or the sender stopped its timestamps during silence: the read position goes back to it.
   */
  #putLate(timestamp: number, samples: Int16Array): PutResult {
    if (this.#hasAll(timestamp, samples.length, PLAYED)) return 'duplicate';
    if (timestampDistance(timestamp, this.#newestEnd) < 0) {
      this.#shouldHold = this.#depth() > 0;
      return 'late';
    }
    const latenessMs = timestampDistance(this.#readAt, timestamp) / this.#samplesPerMs;
    this.#startAt(
      timestamp,
      latenessMs > PAUSE_MS ? START_DELAY_MS : this.#frameSamples / this.#samplesPerMs,
    );
    this.#store(timestamp, samples);
    return 'taken';
  }

  #store(timestamp: number, samples: Int16Array): void {
    const missed = Math.max(0, timestampDistance(this.#readAt, timestamp));
    const start = (timestamp + missed) >>> 0;
    const length = samples.length - missed;
    const at = start % this.#ring.length;
    const beforeWrap = Math.min(length, this.#ring.length - at);
    this.#ring.set(samples.subarray(missed, missed + beforeWrap), at);
    this.#states.fill(WAITING, at, at + beforeWrap);
    this.#ring.set(samples.subarray(missed + beforeWrap), 0);
    this.#states.fill(WAITING, 0, length - beforeWrap);
    const end = (start + length) >>> 0;
    if (timestampDistance(end, this.#newestEnd) > 0) this.#newestEnd = end;
    if (this.#depth() > LARGEST_DEPTH_MS * this.#samplesPerMs) this.#skipTo(DEPTH_AFTER_SKIP_MS);
  }

  #hasAll(start: number, length: number, state: number): boolean {
    const mask = this.#ring.length - 1;
    for (let i = 0; i < length; i++) if (this.#states[(start + i) & mask] !== state) return false;
    return true;
  }

  #skipTo(depthMs: number): void {
    const target = (this.#newestEnd - depthMs * this.#samplesPerMs) >>> 0;
    while (timestampDistance(target, this.#readAt) > 0) this.#advance(this.#frameSamples);
    this.#observeAnew();
  }

  /** Reads the received samples of a frame and advances the position. @returns whether the frame is complete */
  #read(frame: Int16Array, isThere: Uint8Array): boolean {
    const mask = this.#ring.length - 1;
    let found = 0;
    for (let i = 0; i < frame.length; i++) {
      const at = (this.#readAt + i) & mask;
      if (this.#states[at] !== WAITING) continue;
      frame[i] = this.#ring[at] ?? 0;
      isThere[i] = 1;
      found++;
    }
    this.#advance(frame.length);
    return found === frame.length;
  }

  #advance(samples: number): void {
    const mask = this.#ring.length - 1;
    for (let i = 0; i < samples; i++) {
      const at = (this.#readAt + i) & mask;
      this.#states[at] = this.#states[at] === WAITING ? PLAYED : NOTHING;
    }
    this.#readAt = (this.#readAt + samples) >>> 0;
  }

  #holds(): boolean {
    if (!this.#shouldHold) return false;
    this.#shouldHold = false;
    const mayGrow = this.#depth() < LARGEST_GROWN_DEPTH_MS * this.#samplesPerMs;
    this.#observeAnew();
    return mayGrow;
  }

  /** The number of samples by which the delay is too long; 0 until that is certain. */
  #spareToDrop(): number {
    this.#framesObserved++;
    const spareMs = (this.#smallestLead - this.#frameSamples) / this.#samplesPerMs;
    if (spareMs === Infinity) return 0;
    if (this.#framesObserved >= SHRINK_AFTER_FRAMES) {
      this.#observeAnew();
      if (spareMs <= SHRINK_SPARE_MS) return 0;
      return Math.min(this.#frameSamples, Math.floor((spareMs - SPARE_KEPT_MS) * this.#samplesPerMs));
    }
    const isQuick = this.#framesObserved >= QUICK_SHRINK_AFTER_FRAMES && spareMs > QUICK_SHRINK_SPARE_MS;
    if (isQuick) this.#observeAnew();
    return isQuick ? this.#frameSamples : 0;
  }

  #observeAnew(): void {
    this.#smallestLead = Infinity;
    this.#framesObserved = 0;
  }

  /** Skips `count` samples: cross-fades the frame into the audio after them and continues there. */
  #leaveOut(count: number, frame: Int16Array): void {
    if (!this.#hasAll(this.#readAt, count, WAITING)) return;
    const mask = this.#ring.length - 1;
    this.#advance(count);
    const later = this.#readAt - frame.length;
    for (let i = 0; i < frame.length; i++) {
      const weight = (i + 1) / (frame.length + 1);
      frame[i] = clip((frame[i] ?? 0) * (1 - weight) + (this.#ring[(later + i) & mask] ?? 0) * weight);
    }
  }
}
