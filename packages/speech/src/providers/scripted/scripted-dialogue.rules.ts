/**
 * The built-in dialogue: what the assistant says without any language model. It is a demonstration and says so. It
 * understands keys, and a few words where a recogniser gives it words. Deterministic: the same dialogue, the same answer.
 *
 *   state             waits for                                   leaves by
 *   greeting          the customer's first word                   speech, silence, a key
 *   menu              a choice of 1, 2, 9                         a choice; speech asks once more
 *   menu-reminded     the same, having asked once more            a choice; speech ends the call
 *   times             a choice of 1, 2 for another time           a choice; speech asks once more
 *   times-reminded    the same, having asked once more            a choice; speech ends the call
 *   still-there       any sign of life                            speech, a key; silence ends the call
 *   ended             nothing: the goodbye was said               never
 *
 * No timers: silence is an entry of the dialogue like any other.
 */
import type { DialogueEntry } from '../../ports.ts';

/** @see the head of this file */
export type ScriptState =
  | 'greeting'
  | 'menu'
  | 'menu-reminded'
  | 'times'
  | 'times-reminded'
  | 'still-there'
  | 'ended';

/** What a customer's turn amounts to. `speech` is everything that was said and not understood. */
export type ScriptEvent = 'speech' | 'silence' | 'key-1' | 'key-2' | 'key-9' | 'key-other' | 'yes' | 'no';

/** What the assistant does about it. */
export interface ScriptStep {
  say: string;
  next: ScriptState;
}

const OPTIONS = 'Press 1 to confirm your appointment, 2 for another time, or 9 to end the call.';
const TIME_OPTIONS = 'Press 1 for tomorrow morning, or 2 for tomorrow afternoon.';

const EXPLAIN: ScriptStep = {
  say: `This is a demonstration. I can hear that you are speaking, but I only understand keys. ${OPTIONS}`,
  next: 'menu',
};
const REMIND: ScriptStep = { say: `Sorry, I did not get that. ${OPTIONS}`, next: 'menu-reminded' };
const OFFER_TIMES: ScriptStep = {
  say: `All right, let us find another time. ${TIME_OPTIONS}`,
  next: 'times',
};
const REMIND_TIMES: ScriptStep = {
  say: `Sorry, I did not get that. ${TIME_OPTIONS}`,
  next: 'times-reminded',
};
const STILL_THERE: ScriptStep = { say: 'Hello? Are you still there?', next: 'still-there' };
const CONFIRM = end('Thank you. Your appointment is confirmed. Goodbye.');
const BOOK_MORNING = end('Thank you. You are booked for tomorrow morning. Goodbye.');
const BOOK_AFTERNOON = end('Thank you. You are booked for tomorrow afternoon. Goodbye.');
const GIVE_UP = end('Thank you for trying this demonstration. Goodbye.');
const NOBODY_THERE = end('I cannot hear you, so I will end the call. Goodbye.');
const GOODBYE = end('Thank you for your call. Goodbye.');
const SILENT_END = end('');

function end(say: string): ScriptStep {
  return { say, next: 'ended' };
}

const MENU: Record<ScriptEvent, ScriptStep> = {
  speech: REMIND,
  silence: STILL_THERE,
  'key-1': CONFIRM,
  'key-2': OFFER_TIMES,
  'key-9': GOODBYE,
  'key-other': REMIND,
  yes: CONFIRM,
  no: OFFER_TIMES,
};
const TIMES: Record<ScriptEvent, ScriptStep> = {
  speech: REMIND_TIMES,
  silence: STILL_THERE,
  'key-1': BOOK_MORNING,
  'key-2': BOOK_AFTERNOON,
  'key-9': GOODBYE,
  'key-other': REMIND_TIMES,
  yes: REMIND_TIMES,
  no: GIVE_UP,
};

/** Every answer of the script. */
export const SCRIPT: Record<ScriptState, Record<ScriptEvent, ScriptStep>> = {
  // Before the menu was told, yes and no answer something else, whatever the greeting asked.
  greeting: { ...MENU, speech: EXPLAIN, 'key-other': EXPLAIN, yes: EXPLAIN, no: EXPLAIN },
  menu: MENU,
  'menu-reminded': { ...MENU, speech: GIVE_UP },
  times: TIMES,
  'times-reminded': { ...TIMES, speech: GIVE_UP, yes: GIVE_UP },
  'still-there': { ...MENU, speech: EXPLAIN, silence: NOBODY_THERE, yes: EXPLAIN, no: EXPLAIN },
  ended: {
    speech: SILENT_END,
    silence: SILENT_END,
    'key-1': SILENT_END,
    'key-2': SILENT_END,
    'key-9': SILENT_END,
    'key-other': SILENT_END,
    yes: SILENT_END,
    no: SILENT_END,
  },
};

/** Said when the assistant is to begin and has no greeting of its own. */
const OPENING = 'Hello, this is a demonstration assistant. Is this a good time?';

/**
 * The assistant's next words.
 *
 * @param dialogue - everything so far; the customer's entries since the assistant last spoke are one turn
 */
export function nextScriptStep(dialogue: readonly DialogueEntry[]): ScriptStep {
  if (dialogue.length === 0) return { say: OPENING, next: 'greeting' };
  let step: ScriptStep = { say: '', next: 'greeting' };
  for (const event of eventsOf(dialogue)) step = SCRIPT[step.next][event];
  const isCustomersTurnOver = dialogue.at(-1)?.role === 'customer';
  return isCustomersTurnOver ? step : { say: '', next: step.next };
}

/** One event for each turn of the customer. */
function eventsOf(dialogue: readonly DialogueEntry[]): ScriptEvent[] {
  const turns: DialogueEntry[][] = [];
  let isNewTurn = true;
  for (const entry of dialogue) {
    if (entry.role === 'customer' && isNewTurn) turns.push([]);
    if (entry.role === 'customer') turns.at(-1)?.push(entry);
    isNewTurn = entry.role !== 'customer';
  }
  return turns.map(eventOf);
}

/** A key counts more than words, words more than noise, noise more than silence; of several, the last. */
function eventOf(turn: readonly DialogueEntry[]): ScriptEvent {
  const events = turn.map(eventOfEntry);
  const isOfRank: ((event: ScriptEvent) => boolean)[] = [
    (event) => event.startsWith('key-'),
    (event) => event === 'yes' || event === 'no',
    (event) => event === 'speech',
  ];
  for (const isWanted of isOfRank) {
    const found = events.findLast(isWanted);
    if (found) return found;
  }
  return 'silence';
}

function eventOfEntry(entry: DialogueEntry): ScriptEvent {
  if (entry.role !== 'customer' || entry.kind === 'silence') return 'silence';
  if (entry.kind === 'dtmf') return eventOfKey(entry.text.trim().at(-1) ?? '');
  return entry.kind === 'speech' ? eventOfWords(entry.text) : 'speech';
}

function eventOfKey(key: string): ScriptEvent {
  if (key === '1' || key === '2' || key === '9') return `key-${key}`;
  return 'key-other';
}

/** Looked for in this order. Numbers count only alone: "one moment" and "at nine" are no choices. */
const WORDS: readonly (readonly [RegExp, ScriptEvent])[] = [
  [/\b(goodbye|bye|hang up)\b|^\W*(nine|9)\W*$/i, 'key-9'],
  [/^\W*(one|1)\W*$/i, 'key-1'],
  [/\banother time\b|^\W*(two|2)\W*$/i, 'key-2'],
  [/\b(no|nope|not)\b/i, 'no'],
  [/\b(yes|yeah|yep|sure|okay|ok)\b/i, 'yes'],
];

function eventOfWords(text: string): ScriptEvent {
  return WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'speech';
}
