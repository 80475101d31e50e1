/** What the transcript may ask of the recording's player. */
export interface Playback {
  /** Moves to a place in the recording and plays from there. Milliseconds from its beginning. */
  playFrom: (positionMs: number) => void;
}
