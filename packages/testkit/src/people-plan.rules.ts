/**
 * What people do in generated calls, on a real line (`npm run bench:people`) and in virtual time: each call is a list of acts, drawn from a seed. An act is one thing that people do
 * on the telephone and that is known to break conversations: to answer before a question has ended, to say "uh-huh", to
 * pause in the middle of a sentence, to say nothing.
 */

/** What a person does. */
export type Act =
  /** Says "Hello?" soon after the answer, whatever is heard. */
  | 'hello'
  /** Answers after the assistant has finished. */
  | 'reply'
  /** Answers in a word or two, before the sound of the question ends. */
  | 'early'
  /** Speaks into the middle of the assistant's turn. */
  | 'interrupt'
  /** Says "uh-huh" into the middle of the assistant's turn, which must continue. */
  | 'backchannel'
  /** Pauses in the middle of a sentence. */
  | 'pause'
  /** Speaks for ten seconds or more. */
  | 'long'
  /** Answers while a much quieter voice speaks in the background, and continues to. */
  | 'background'
  /** Says nothing until the assistant speaks again. */
  | 'silence'
  /** Presses a key. */
  | 'key';

/** One planned act. Times in milliseconds. */
export interface PlannedAct {
  act: Act;
  /** From the end of the assistant's turn to the person's first sound, for acts that wait for the end. */
  gapMs: number;
  /**
   * `early`: before the expected end of the assistant's turn; `interrupt` and `backchannel`: after its beginning; `hello`:
   * after the answer; `pause`: the length of the pause; `key`: the digit. Otherwise 0.
   */
  atMs: number;
  /** 0 to 1: selects the words. */
  chance: number;
}

/** The acts of a call after the first, and how often each occurs relative to the others. */
const WEIGHTS: Record<Exclude<Act, 'hello'>, number> = {
  reply: 5,
  early: 4,
  interrupt: 3,
  backchannel: 3,
  pause: 3,
  long: 1,
  background: 2,
  silence: 1,
  key: 1,
};
/** For each act, the limits of {@link PlannedAct.atMs}. */
const TIMES: Record<Act, { from: number; to: number }> = {
  hello: { from: 100, to: 1200 },
  early: { from: 150, to: 800 },
  interrupt: { from: 800, to: 2500 },
  backchannel: { from: 800, to: 2000 },
  pause: { from: 250, to: 1500 },
  key: { from: 0, to: 9 },
  reply: { from: 0, to: 0 },
  long: { from: 0, to: 0 },
  background: { from: 0, to: 0 },
  silence: { from: 0, to: 0 },
};
const ACTS_OF_A_CALL = 7;
/** Share of the calls that begin with "Hello?". */
const HELLOS = 0.4;
const GAP_MS = { from: 150, to: 1200 };

/** @param random - 0 to 1; seeded */
export function planCall(random: () => number): PlannedAct[] {
  const acts = Array.from({ length: ACTS_OF_A_CALL }, () => weighted(random()));
  const first: Act[] = random() < HELLOS ? ['hello'] : [];
  return [...first, ...acts].map((act) => ({
    act,
    gapMs: within(GAP_MS, random()),
    atMs: within(TIMES[act], random()),
    chance: random(),
  }));
}

/** Whether an act is a turn that the assistant must answer. */
export function needsAnswer(act: Act): boolean {
  return act !== 'backchannel' && act !== 'silence' && act !== 'hello';
}

function weighted(chance: number): Act {
  const entries = Object.entries(WEIGHTS) as [Act, number][];
  let left = chance * entries.reduce((sum, [, weight]) => sum + weight, 0);
  return entries.find(([, weight]) => (left -= weight) < 0)?.[0] ?? 'reply';
}

function within({ from, to }: { from: number; to: number }, chance: number): number {
  return Math.round(from + chance * (to - from));
}
