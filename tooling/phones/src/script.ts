/**
 * What a pretend person does on the phone, as plain data: a list of steps, one after the other. `script-runner.rules.ts`
 * walks through it, `person.ts` performs it.
 */

/** One thing to do. Times in milliseconds of the call. */
export type Step =
  /** Says nothing for a while. */
  | { do: 'wait'; ms: number }
  /** Says a line to its end. */
  | { do: 'say'; line: string }
  /** Makes a tone. */
  | { do: 'beep'; hz: number; ms: number }
  /** Lets the other side speak until it pauses for `pauseMs`; goes on after `patienceMs` if it says nothing. */
  | { do: 'listen'; pauseMs: number; patienceMs: number }
  /** Waits until the other side has spoken for `speechMs`, that is, into the middle of a sentence. */
  | { do: 'listen-into'; speechMs: number; patienceMs: number }
  | { do: 'press'; keys: string }
  /** Says back what is heard, as long as the call lasts but no longer than `ms`. */
  | { do: 'echo'; ms: number }
  | { do: 'hang-up' };

/** The steps of one call. When they are done the person hangs up. */
export type Script = readonly Step[];

/** Who is at home at a number: how they take a call, and what they do then. */
export type Character =
  | { takes: 'answers'; ringMs: number; voice: string; script: Script }
  /** Refuses with a SIP status, at once. */
  | { takes: 'refuses'; status: number }
  /** Lets it ring for ever. */
  | { takes: 'ignores' };
