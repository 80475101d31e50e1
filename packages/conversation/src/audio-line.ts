/**
 * The audio of a live call as the conversation needs it: frames in, frames out, and an exact count of what was sent. A
 * structural subset of telephony's `MediaPort`, which voice passes in.
 *
 * All audio is mono Int16 at `sampleRateHz`; a frame is 20 ms.
 */

/** Length of one frame, milliseconds. */
export const FRAME_MS = 20;

/** One frame in each direction, as received from and sent to the network. */
export interface AudioTick {
  /** Counts frames from the answer, without gaps; frame n ends at `(n + 1) * 20` ms of call time. */
  index: number;
  /** Audio from the far end: `frameSamples` samples; silence or concealment where nothing was received. */
  received: Int16Array;
  /** How long ago the end of the frame was received, milliseconds: the delay of the jitter buffer. Absent: 0. */
  receivedAgoMs?: number;
  /** What was sent: `frameSamples` samples. */
  sent: Int16Array;
  /** The turn that was passed to {@link AudioLine.play} with this audio; 0 if silence was sent. */
  sentTurn: number;
  /** Samples of this frame that came from `play`, which gives the playout position to the sample. */
  sentSamples: number;
}

/** The audio connection of a conversation. */
export interface AudioLine {
  readonly sampleRateHz: 8000 | 16_000 | 24_000 | 48_000;
  /** `sampleRateHz` / 50. */
  readonly frameSamples: number;
  /** Every 20 ms from the answer to the end, in order. One listener. */
  onTick(listener: (tick: AudioTick) => void): void;
  /** Appends samples of a turn to the queue; any length. The caller must not use the array afterwards. Turns start at 1. */
  play(turn: number, samples: Int16Array): void;
  /** Sends silence and keeps the queue. */
  pausePlayout(): void;
  /** Sends the queue at a lower level. */
  lowerPlayout(): void;
  /** Ends a pause and a lowered level. */
  resumePlayout(): void;
  /** Drops the queue: the next frame sent is silence. */
  clear(): void;
}
