/**
 * The audio waiting to be sent on a leg, cut into frames. A frame contains samples of one turn only: after the end of a
 * turn the rest of the frame is silence, so that the playout position of each turn is exact to the sample. Background
 * sound may be mixed in; it counts as silence.
 */
import { Ambience, type AmbientLoop } from './ambience.ts';

/**
 * Speech that is paused, dropped or runs out, and speech that continues afterwards, fades over this share of a frame (4 ms) to
 * avoid a click.
 */
const FADE_SHARE = 1 / 5;
/** The level of speech while {@link PlayoutQueue.lower} applies: 12 dB below normal. */
const LOWERED = 1 / 4;

/** The content of a frame that {@link PlayoutQueue.takeInto} filled. */
export interface PlayoutFrame {
  /** 0 when the frame is silence. */
  turn: number;
  /** Samples that came from the queue; the rest of the frame is silence. */
  samples: number;
}

/** The queue of one leg. */
export class PlayoutQueue {
  #chunks: { turn: number; samples: Int16Array }[] = [];
  /** Samples of the first chunk that have been taken already. */
  #taken = 0;
  #queuedSamples = 0;
  #isPaused = false;
  /** The gain of the last sample, and the gain that the next frame reaches at its end. */
  #gain = 1;
  #nextGain = 1;
  /** The last sample of speech that filled its frame, and its turn; 0 after silence. */
  #lastSample = 0;
  #lastTurn = 0;
  /** The turn that has faded out and fades in if it continues; 0 for none. */
  #fadedTurn = 0;
  #ambience: Ambience | null = null;
  readonly #frame: PlayoutFrame = { turn: 0, samples: 0 };

  get queuedSamples(): number {
    return this.#queuedSamples;
  }

  /** Appends samples; the queue takes ownership of the array. */
  push(turn: number, samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#chunks.push({ turn, samples });
    this.#queuedSamples += samples.length;
  }

  /** Frames are silence until {@link resume}; the queue is kept. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Frames continue at a lower level until {@link resume}. */
  lower(): void {
    this.#nextGain = LOWERED;
  }

  /** Ends a pause and a lowered level. */
  resume(): void {
    this.#isPaused = false;
    this.#nextGain = 1;
  }

  /** Sets the background sound; null for none. */
  setAmbience(loop: AmbientLoop | null): void {
    this.#ambience = loop && new Ambience(loop);
  }

  /** Drops the queue. `isCutElsewhere`: the receiver drops its buffer, too, so there is nothing to fade out. */
  clear({ isCutElsewhere = false } = {}): void {
    if (isCutElsewhere) this.#lastSample = 0;
    this.#chunks = [];
    this.#taken = 0;
    this.#queuedSamples = 0;
    this.#fadedTurn = 0;
  }

  /**
   * Fills a frame, with silence or background sound where the queue is empty.
   *
   * @returns valid until the next call
   */
  takeInto(frame: Int16Array): PlayoutFrame {
    const taken = this.#frame;
    taken.turn = this.#isPaused ? 0 : (this.#chunks[0]?.turn ?? 0);
    taken.samples = 0;
    while (taken.turn !== 0 && taken.samples < frame.length && this.#chunks[0]?.turn === taken.turn) {
      taken.samples += this.#takeChunk(frame, taken.samples);
    }
    frame.fill(0, taken.samples);
    this.#queuedSamples -= taken.samples;
    this.#applyGain(frame, taken.samples);
    this.#softenEdges(frame, taken);
    this.#ambience?.mixInto(frame, taken.samples > 0);
    return taken;
  }

  /** A change of level is spread over one frame, because a sudden one would click. */
  #applyGain(frame: Int16Array, samples: number): void {
    const from = this.#gain;
    const change = this.#nextGain - from;
    this.#gain = this.#nextGain;
    if (from === 1 && change === 0) return;
    for (let i = 0; i < samples; i++)
      frame[i] = Math.round((frame[i] ?? 0) * (from + (change * (i + 1)) / frame.length));
  }

  #softenEdges(frame: Int16Array, { turn, samples }: PlayoutFrame): void {
    const length = Math.floor(frame.length * FADE_SHARE);
    if (turn !== 0 && turn === this.#fadedTurn)
      for (let i = 0; i < length; i++) frame[i] = ((frame[i] ?? 0) * i) / length;
    const last = turn === 0 ? this.#lastSample : (frame[samples - 1] ?? 0);
    const lastTurn = turn === 0 ? this.#lastTurn : turn;
    const isFull = samples === frame.length;
    this.#lastSample = isFull ? last : 0;
    this.#lastTurn = lastTurn;
    if (isFull) this.#fadedTurn = 0;
    if (isFull || last === 0) return;
    for (let i = 0; i < Math.min(length, frame.length - samples); i++)
      frame[samples + i] = last * (1 - (i + 1) / length);
    this.#fadedTurn = lastTurn;
  }

  /** Copies as much of the first chunk as fits, and returns the number of samples. */
  #takeChunk(frame: Int16Array, at: number): number {
    const chunk = this.#chunks[0]?.samples ?? frame;
    const part = chunk.subarray(this.#taken, this.#taken + frame.length - at);
    frame.set(part, at);
    this.#taken += part.length;
    if (this.#taken >= chunk.length) {
      this.#chunks.shift();
      this.#taken = 0;
    }
    return part.length;
  }
}
