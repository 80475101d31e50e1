/**
 * The received audio on our own clock: packets go into the jitter buffer, gaps are concealed, and clock drift of the far
 * end is compensated. Exactly one frame is returned every 20 ms of our clock, regardless of the network and the far end.
 */
import { Stretcher } from '@parley/audio';
import { Concealment } from './concealment.ts';
import { FarClock } from './far-clock.ts';
import { JitterBuffer } from './jitter-buffer.ts';

/** A packet that is late by more than this share of its length follows a lost packet; one more per further length. */
const LATE_SHARE = 0.75;

/** One direction of one call. Timestamps count samples and wrap at 2^32; instants are monotonic milliseconds. */
export class ReceivedSound {
  readonly #frameSamples: number;
  readonly #jitter: JitterBuffer;
  readonly #concealment: Concealment;
  readonly #clock: FarClock;
  readonly #stretcher = new Stretcher();
  /** The input of one frame: sometimes a sample more or less than its output. */
  readonly #piece: Int16Array;
  readonly #isThere: Uint8Array;
  /** Added to timestamps, so that consecutive streams are contiguous. */
  #shift = 0;
  #isJoining = false;
  #madeUpSamples = 0;
  /** Arrival time of the newest audio; null before the first. */
  #newestArrivalMs: number | null = null;
  /** The delay of the stretcher. */
  readonly #stretchMs: number;

  constructor(sampleRateHz: number) {
    const frameSamples = sampleRateHz / 50;
    this.#stretchMs = (Stretcher.latencySamples * 1000) / sampleRateHz;
    this.#frameSamples = frameSamples;
    this.#jitter = new JitterBuffer({ sampleRateHz, frameSamples, aheadSamples: Stretcher.latencySamples });
    this.#concealment = new Concealment(sampleRateHz);
    this.#clock = new FarClock({ sampleRateHz, frameSamples });
    this.#piece = new Int16Array(frameSamples + 2);
    this.#isThere = new Uint8Array(frameSamples + 2);
  }

  /** The amount of concealment since the first packet, in frames. */
  get concealedFrames(): number {
    return Math.round(this.#madeUpSamples / this.#frameSamples);
  }

  /** Takes the audio of a packet. */
  put(timestamp: number, samples: Int16Array, arrivalMs: number): void {
    if (this.#isJoining) this.#join({ timestamp, samples: samples.length, arrivalMs });
    const shifted = (timestamp + this.#shift) >>> 0;
    const result = this.#jitter.put(shifted, samples, this.#clock.sinceTick(arrivalMs));
    if (result === 'taken') this.#newestArrivalMs = arrivalMs;
    this.#clock.arrived((shifted + samples.length) >>> 0, arrivalMs);
  }

  /**
   * Reads the next 20 ms.
   *
   * @param tickMs - when they are due by the schedule
   * @returns whether at least half of them is concealment
   */
  take(frame: Int16Array, tickMs: number): boolean {
    const { speed } = this.#clock;
    this.#clock.tick(tickMs);
    const length = this.#stretcher.inputFor(frame.length, speed);
    const piece = this.#piece.subarray(0, length);
    const isThere = this.#isThere.subarray(0, length);
    const result = this.#jitter.take(piece, isThere);
    const madeUp = result === 'idle' ? length : this.#concealment.complete(piece, isThere);
    if (result !== 'idle') this.#madeUpSamples += madeUp;
    this.#stretcher.processInto(piece, frame, speed);
    return madeUp >= length / 2;
  }

  /** Time since the end of the last frame arrived, milliseconds; 0 before the first. */
  heldMs(nowMs: number): number {
    if (this.#newestArrivalMs === null) return 0;
    return Math.max(0, nowMs - this.#newestArrivalMs + this.#jitter.depthMs + this.#stretchMs);
  }

  /** The next packet belongs to another stream of the same call; it is played after the waiting audio, without a gap. */
  join(): void {
    this.#isJoining = true;
  }

  /** Forgets the stream. */
  reset(): void {
    this.#isJoining = false;
    this.#newestArrivalMs = null;
    this.#jitter.reset();
    this.#clock.restart();
  }

  /** Leaves a gap for packets lost between the two streams: whole packets, by how late this one would otherwise be. */
  #join({ timestamp, samples, arrivalMs }: { timestamp: number; samples: number; arrivalMs: number }): void {
    const { waitingUntil } = this.#jitter;
    this.#isJoining = false;
    if (waitingUntil === null) return this.reset();
    const lateness = this.#clock.lateness((waitingUntil + samples) >>> 0, arrivalMs);
    const lost = Math.max(0, Math.floor(lateness / samples + 1 - LATE_SHARE));
    this.#shift = waitingUntil + lost * samples - timestamp;
  }
}
