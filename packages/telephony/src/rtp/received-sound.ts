/**
 * What was received, as sound on our own clock: packets into the jitter buffer, holes concealed, the far end's clock
 * followed. Every 20 ms of our clock exactly one frame comes out, whatever the network and the far end do.
 */
import { Stretcher } from '@parley/audio';
import { Concealment } from './concealment.ts';
import { FarClock } from './far-clock.ts';
import { JitterBuffer } from './jitter-buffer.ts';

/** A packet that is later than this share of its length, and of each length more, stands behind one that was lost. */
const LATE_SHARE = 0.75;

/** One direction of one call. Timestamps count samples and wrap at 2^32; instants are monotonic milliseconds. */
export class ReceivedSound {
  readonly #frameSamples: number;
  readonly #jitter: JitterBuffer;
  readonly #concealment: Concealment;
  readonly #clock: FarClock;
  readonly #stretcher = new Stretcher();
  /** What one frame is made of: a sample more or less than it has, now and then. */
  readonly #piece: Int16Array;
  readonly #isThere: Uint8Array;
  /** Added to timestamps, so that streams that follow each other lie one behind the other. */
  #shift = 0;
  #isJoining = false;
  #madeUpSamples = 0;
  /** When the newest sound came; null before the first. */
  #newestArrivalMs: number | null = null;
  /** What the stretcher holds back. */
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

  /** Frames' worth of sound that was made up since the first packet came. */
  get concealedFrames(): number {
    return Math.round(this.#madeUpSamples / this.#frameSamples);
  }

  /** Takes the sound of a packet. */
  put(timestamp: number, samples: Int16Array, arrivalMs: number): void {
    if (this.#isJoining) this.#join({ timestamp, samples: samples.length, arrivalMs });
    const shifted = (timestamp + this.#shift) >>> 0;
    const result = this.#jitter.put(shifted, samples, this.#clock.sinceTick(arrivalMs));
    if (result === 'taken') this.#newestArrivalMs = arrivalMs;
    this.#clock.arrived((shifted + samples.length) >>> 0, arrivalMs);
  }

  /**
   * Gives the next 20 ms.
   *
   * @param tickMs - when they are due, however late we are
   * @returns whether at least half of them is made up
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

  /** How long ago the end of the frame that was taken last came in, milliseconds; 0 before the first. */
  heldMs(nowMs: number): number {
    if (this.#newestArrivalMs === null) return 0;
    return Math.max(0, nowMs - this.#newestArrivalMs + this.#jitter.depthMs + this.#stretchMs);
  }

  /** The next packet is of another stream of the same call: it is heard after what waits, without a pause. */
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

  /** What was lost between the two streams keeps its place: whole packets, by how late this one would be otherwise. */
  #join({ timestamp, samples, arrivalMs }: { timestamp: number; samples: number; arrivalMs: number }): void {
    const { waitingUntil } = this.#jitter;
    this.#isJoining = false;
    if (waitingUntil === null) return this.reset();
    const lateness = this.#clock.lateness((waitingUntil + samples) >>> 0, arrivalMs);
    const lost = Math.max(0, Math.floor(lateness / samples + 1 - LATE_SHARE));
    this.#shift = waitingUntil + lost * samples - timestamp;
  }
}
