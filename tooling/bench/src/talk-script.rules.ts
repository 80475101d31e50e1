/** The dialogue of `bench:talk`, its roles, and the delays of the simulated providers. */

/** Milliseconds from a request to the first piece of the answer. */
export const DELAYS = { recogniserMs: 100, modelMs: 250, voiceMs: 120, toolMs: 3000 } as const;
/** The assistants' `endpoint_sensitivity`, milliseconds. */
export const END_WAIT_MS = 200;
/** From the start of an outgoing call's ringing to its answer, milliseconds: time to prepare the greeting. */
export const RING_MS = 1000;

/** What the callers say. */
export const PHRASE = 'I would like a table for tonight';
/**
 * What the recogniser makes of its words, by turns: words that ask for more, after which no reply is made ahead
 * (docs/decisions/replies-made-ahead.md), and a sentence.
 */
const WHOLE_WORDS = PHRASE.split(' ');
const OPEN_ENDING = 'tonight and';
const OPEN_WORDS = [...WHOLE_WORDS.slice(0, -1), OPEN_ENDING];
/** More than any call has. */
export const UNDERSTOOD = Array.from({ length: 500 }, () => [OPEN_WORDS, OPEN_WORDS, WHOLE_WORDS]).flat();
/** Whether words ask for more. */
export const isOpen = (words: string): boolean => words.endsWith(OPEN_ENDING);
/** The share of the callers' turns that go on after a pause too short to end them: the caller says the phrase once more. */
export const CHANGED_MINDS = 0.2;
export const CHANGED_MIND_PAUSE_MS = 140;

/** The simulated voice takes so long for a character, milliseconds. */
export const CHARACTER_MS = 40;
/** The answers to both, of different length: their length shows which phrase was recognised. */
export const OPEN_REPLY = 'Go on, yes.';
export const WHOLE_REPLY = 'Yes, of course, with pleasure.';
/** Replies longer than this are {@link WHOLE_REPLY}. */
export const WHOLE_REPLY_FROM_MS = ((OPEN_REPLY.length + WHOLE_REPLY.length) / 2) * CHARACTER_MS;
/** Said to those who interrupt: some 8 s. */
export const LONG_REPLY =
  'We have a table near the window at seven, another one at eight close to the kitchen, and a very quiet one upstairs ' +
  'at half past eight, from which you can see the river and most of the old town.';
export const GREETING = 'Good morning.';

/** Said to the people of `bench:people`, and their greeting: some 4 s, and a question. */
export const PEOPLE_REPLY =
  'Very good, I have written that down in our book for you. What else may I do for you this evening?';
/** The assistant speaks again after this silence, milliseconds. */
export const RE_ENGAGEMENT_MS = 7000;

/** Names of the models, as assistants ask for them. */
export const MODELS = {
  short: 'bench-short',
  long: 'bench-long',
  tool: 'bench-tool',
  people: 'bench-people',
} as const;
/** The tool of those assistants whose model uses one. */
export const TOOL_NAME = 'look_up';

/** What transcribes: the phrase of all callers, any words, or no provider but the built-in recogniser. */
export type RecogniserKind = 'phrase' | 'words' | 'built-in';

/** Where the providers, and the tool, listen. */
export interface ProviderOrigins {
  recogniser: string;
  voice: string;
  model: string;
  tool: string;
}

/** What a caller is there for. */
export type Role =
  /** Takes turns. */
  | 'talker'
  /** The same over a line that loses one packet in a hundred, both ways. */
  | 'lossy'
  /** Speaks into the assistant's reply. */
  | 'interrupter'
  /** Has an assistant that uses its tool before each answer. */
  | 'waiter'
  /** Behaves as people do (people-plan.rules.ts). */
  | 'person'
  /** Is called, and answers after {@link RING_MS}. */
  | 'called';

/** The number that each calls. */
export const NUMBERS: Record<Exclude<Role, 'called'>, string> = {
  talker: '+12025550111',
  lossy: '+12025550111',
  interrupter: '+12025550112',
  waiter: '+12025550113',
  person: '+12025550114',
};
