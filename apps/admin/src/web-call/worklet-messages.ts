/** The messages between the two audio worklets and the page. */

/** From the capture worklet, every 20 ms: one frame ready for the wire and its loudness. */
export interface CapturedFrame {
  /** 640 bytes: 320 samples, Int16, in the byte order of the machine (little endian on all of today's). */
  pcm: ArrayBuffer;
  /** 0 to 1, for the meter. */
  level: number;
}

/** To the playback worklet. */
export type PlaybackCommand = { type: 'frame'; pcm: ArrayBuffer } | { type: 'clear' };

/** From the playback worklet, about every 40 ms and at once after a `clear`. */
export interface PlaybackReport {
  /** How much sound that was not silence has been played so far, in ms. */
  playedMs: number;
  /** Waiting to be played, in ms. */
  waitingMs: number;
  /** 0 to 1, for the meter. */
  level: number;
  /** Whether speech is being played, including pauses between words. */
  isSounding: boolean;
}
