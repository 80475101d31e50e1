/**
 * The sound of a live call as the conversation needs it, and nothing else of a call: frames in, frames out, and an
 * exact account of what was sent. A structural subset of telephony's `MediaPort`, which voice hands over.
 *
 * All sound is mono Int16 at `sampleRateHz`; a frame is 20 ms.
 */

/** Length of one frame, milliseconds. */
export const FRAME_MS = 20;

/** One frame time, both directions, as they crossed the socket. */
export interface AudioTick {
  /** Counts frames from the answer, without gaps; frame n ends at `(n + 1) * 20` ms of the call's time. */
  index: number;
  /** What came from the far end: `frameSamples` samples; silence or concealment where nothing came. */
  received: Int16Array;
  /** How long ago its end came in, milliseconds: what the line held back to smooth it. Absent: nothing. */
  receivedAgoMs?: number;
  /** What was sent: `frameSamples` samples. */
  sent: Int16Array;
  /** The turn given to {@link AudioLine.play} for what was sent in this frame; 0 where silence was sent. */
  sentTurn: number;
  /** Samples of this frame that came from `play`, so that playout is known to the sample. */
  sentSamples: number;
}

/** Where the conversation hears and speaks. */
export interface AudioLine {
  readonly sampleRateHz: 8000 | 16_000 | 24_000 | 48_000;
  /** `sampleRateHz` / 50. */
  readonly frameSamples: number;
  /** Every 20 ms from the answer to the end, in order. One listener. */
  onTick(listener: (tick: AudioTick) => void): void;
  /** Appends samples of a turn to the queue; any length. The array is given away. Turns start at 1. */
  play(turn: number, samples: Int16Array): void;
  /** Sends silence instead of the queue, which is kept. */
  pausePlayout(): void;
  resumePlayout(): void;
  /** Drops the queue: the next frame sent is silence. */
  clear(): void;
}
