/** Who spoke when in a call, for the lists of the admin app. */

/** Without what was said. */
export interface CallLanes {
  call_id: number;
  /** The speaker, and where the turn begins and ends in the recording, milliseconds. At most the first 300 turns. */
  turns: ['bot' | 'human', number, number][];
}
