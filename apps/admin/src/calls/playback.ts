/** The controls of the player for the transcript. */
export interface Playback {
  /** Moves to a place in the recording and plays from there. Milliseconds from its beginning. */
  playFrom: (positionMs: number) => void;
}
