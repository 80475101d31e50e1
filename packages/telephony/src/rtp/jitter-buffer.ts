/**
 * Turns packets that come early, late, twice or out of order into one stretch of sound every 20 ms.
 *
 * Sound lies in a ring at its own timestamp, so order, duplicates and packets of any length need no care. A reading
 * position walks through it. How far behind the newest packets it walks is the delay, and it adapts:
 *
 *   - it starts 40 ms behind the first packet;
 *   - a packet that comes too late holds the position for a frame, up to a delay of 120 ms, so that the next is in time;
 *   - when for 3 s every packet had more than 20 ms to spare, all but 10 ms of that are left out, faded over; when they
 *     had more than 100 ms, a frame is after half a second.
 *
 * To spare is what is left when a packet falls on the worst place between two readings, where it is wanted up to a frame
 * before it is heard: a sender whose clock is not ours puts its packets on every place in turn.
 *
 * A sender's clock that runs a little faster or slower is followed by reading a sample more or less now and then
 * (far-clock.ts), so a stretch need not begin where a packet does: what is not there is told sample by sample.
 *
 * No clock, no socket: `put` and `take` are all that moves it.
 */
import { clip } from '@parley/audio';
import { timestampDistance } from './rtp-packet.ts';

const START_DELAY_MS = 40;
/** A late packet no longer makes the delay longer when that much waits already. */
const LARGEST_GROWN_DEPTH_MS = 120;
/** More than this waiting means a burst after a stall: the oldest is skipped so that the call does not lag for ever. */
const LARGEST_DEPTH_MS = 400;
const DEPTH_AFTER_SKIP_MS = 100;
/** A sender that comes back later than this after it stopped starts anew, with the full delay. */
const PAUSE_MS = 200;
const QUICK_SHRINK_SPARE_MS = 100;
const QUICK_SHRINK_AFTER_FRAMES = 25;
const SHRINK_SPARE_MS = 20;
const SHRINK_AFTER_FRAMES = 150;
/** What a shrunk delay still has to spare. */
const SPARE_KEPT_MS = 10;

const NOTHING = 0;
const WAITING = 1;
const PLAYED = 2;

/** What became of a packet. */
export type PutResult = 'taken' | 'duplicate' | 'late';
/** `missing`: a stream runs, but some or all of this frame is not there. `idle`: nothing has been received yet. */
export type TakeResult = 'sound' | 'missing' | 'idle';

/** How a buffer is made. */
export interface JitterBufferOptions {
  sampleRateHz: number;
  frameSamples: number;
  /** Whoever comes after the buffer delays the sound by so much; it reads ahead of its delay by as much. Default 0. */
  aheadSamples?: number;
}

/** The buffer of one received stream. Sizes in samples. */
export class JitterBuffer {
  readonly #frameSamples: number;
  readonly #aheadSamples: number;
  readonly #samplesPerMs: number;
  /** Sound by `timestamp % length`; the length is a power of two, so it divides the 2^32 of the timestamps. */
  readonly #ring: Int16Array;
  /** For every place of the ring: nothing came, sound waits, or sound was there and has been read. */
  readonly #states: Uint8Array;
  #isRunning = false;
  /** Timestamp of the next sample to read. */
  #readAt = 0;
  /** Timestamp after the newest sample received. */
  #newestEnd = 0;
  #shouldHold = false;
  /** The least time from a packet's coming to its being heard, samples. */
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

  /** Milliseconds of sound between the reading position and the newest sample; negative where it has read beyond that. */
  get depthMs(): number {
    return this.#isRunning ? this.#depth() / this.#samplesPerMs : 0;
  }

  /** Timestamp after the newest sample, while sound waits; null when there is none. */
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
   * Takes the decoded sound of a packet; at most half a second.
   *
   * @param sinceTake - samples of time since a frame was taken last
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
   * Gives the next frame, of the usual length or about it.
   *
   * @param isThere - as long as `frame`; becomes 1 for each sample that was received, 0 for the others, which are silent
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

  /** Too far from the reading position for the ring: the sender has set its timestamps anew. */
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
   * A packet whose time has passed. While newer ones wait it is lost. When it is the newest, the whole stream has become
   * later (or the sender stopped its timestamps while it was silent): the position goes back to it.
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

  /** Reads what is there of a frame; the position moves on in any case. @returns whether all of it was there */
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

  /** How many samples the delay is too long by; 0 until that is certain. */
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

  /** Fades the frame just read into the sound that lies `count` samples later, and goes on from there. */
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
