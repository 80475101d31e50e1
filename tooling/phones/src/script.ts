/**
 * The behaviour of a simulated person as plain data: a list of steps. `script-runner.rules.ts` executes it, `person.ts`
 * performs the actions.
 */

/** One step. Times in milliseconds. */
export type Step =
  /** Is silent. */
  | { do: 'wait'; ms: number }
  /** Says a line to its end. */
  | { do: 'say'; line: string }
  /** Plays a prepared sound to its end, mono. */
  | { do: 'play'; samples: Int16Array; sampleRateHz: number }
  /** Plays a tone. */
  | { do: 'beep'; hz: number; ms: number }
  /** Waits until the other side has spoken and paused for `pauseMs`, or for `patienceMs` if it is silent. */
  | { do: 'listen'; pauseMs: number; patienceMs: number }
  /** Waits until the other side has spoken for `speechMs`, which is in the middle of a sentence. */
  | { do: 'listen-into'; speechMs: number; patienceMs: number }
  | { do: 'press'; keys: string }
  /** Echoes the received audio until the end of the call, at most for `ms`. */
  | { do: 'echo'; ms: number }
  | { do: 'hang-up' };

/** The steps of one call. The person hangs up after the last one. */
export type Script = readonly Step[];

/** The behaviour of a number: how it responds to a call, and what happens after the answer. */
export type Character =
  | { takes: 'answers'; ringMs: number; voice: string; script: Script }
  /** Rejects at once with a SIP status. */
  | { takes: 'refuses'; status: number }
  /** Rings without an answer. */
  | { takes: 'ignores' };
