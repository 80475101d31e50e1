/**
 * The behaviour of each number. All numbers are fictional North American ones, +1 NPA 555 01XX:
 *
 *   NPA 200 to 899, by XX          NPA 900 to 999
 *   00-46  answers and talks       numbers for campaigns: depending on the seed, some
 *   47-49  books an appointment    answer and talk for a while; the others are busy,
 *   50-59  voicemail with a beep   do not answer, decline, are voicemail or fail. The
 *   60-69  busy (486)              behaviour depends only on number and seed
 *   70-79  rings without answer
 *   80-84  declines (603)
 *   85-89  answers, hangs up while the assistant speaks
 *   90-94  answers, presses 1, then 9
 *   95-97  fails (503)
 *   98     answers and says nothing
 *   99     answers and echoes what it receives
 */
import type { Character, Script, Step } from './script.ts';
import { seededRandom } from './seeded-random.rules.ts';

/** The settings of the phone book. Times in milliseconds, both ends included. */
export interface PhoneBookOptions {
  seed: number;
  /** How long every number rings before it answers. */
  ringMs: { first: number; last: number };
  /** Share of the campaign numbers (NPA 900 to 999) that answers, 0 to 1. */
  answerRate: number;
  /** Duration of calls to the campaign numbers. */
  talkMs: { first: number; last: number };
}

/** RFC 3261 section 21.4.5. */
const NOT_FOUND = 404;
const BUSY = 486;
const UNAVAILABLE = 503;
const DECLINES = 603;

/** Voices of Flite; `slt` is the voice of the assistant. */
const VOICES = ['rms', 'awb', 'kal16'];
/** The behaviour of campaign numbers that do not answer, by cumulative share. */
const CROWD: readonly { upTo: number; xx: number }[] = [
  { upTo: 0.4, xx: 70 },
  { upTo: 0.7, xx: 60 },
  { upTo: 0.85, xx: 80 },
  { upTo: 0.95, xx: 50 },
  { upTo: 1, xx: 95 },
];

/** Waits until the other side has spoken and paused. */
const LISTEN: Step = { do: 'listen', pauseMs: 900, patienceMs: 8000 };

const TALK: Script = [
  { do: 'wait', ms: 300 },
  { do: 'say', line: 'Hello?' },
  LISTEN,
  { do: 'say', line: 'Yes, that is me. What is it about?' },
  LISTEN,
  { do: 'say', line: 'I see. That sounds interesting.' },
  LISTEN,
  { do: 'say', line: 'All right, please go on.' },
  LISTEN,
  { do: 'say', line: 'Thank you, that is all I wanted to know. Good bye.' },
  { do: 'wait', ms: 500 },
  { do: 'hang-up' },
];

/** Answers the questions of the demo assistant. */
function booking(day: string, time: string, name: string): Script {
  return [
    LISTEN,
    { do: 'say', line: day },
    LISTEN,
    { do: 'say', line: time },
    LISTEN,
    { do: 'say', line: name },
    LISTEN,
    { do: 'say', line: 'Yes, please.' },
    { do: 'wait', ms: 30_000 },
    { do: 'hang-up' },
  ];
}

/** 47 to 49: each has another voice, none the assistant's, and wants another appointment. */
const BOOKINGS: readonly { voice: string; script: Script }[] = [
  { voice: 'kal16', script: booking('Monday, please.', 'In the morning.', 'Robert.') },
  { voice: 'awb', script: booking('Wednesday, please.', 'In the afternoon.', 'Daniel.') },
  { voice: 'rms', script: booking('Friday, please.', 'In the afternoon.', 'Maria.') },
];
const FIRST_BOOKING = 47;

const VOICEMAIL: Script = [
  { do: 'wait', ms: 300 },
  { do: 'say', line: 'Hello, nobody is home right now. Please leave a message after the tone.' },
  { do: 'beep', hz: 1000, ms: 600 },
  { do: 'wait', ms: 30_000 },
  { do: 'hang-up' },
];

const IMPATIENT: Script = [
  { do: 'wait', ms: 300 },
  { do: 'say', line: 'Yes?' },
  { do: 'listen-into', speechMs: 1200, patienceMs: 10_000 },
  { do: 'hang-up' },
];

const KEYS: Script = [
  { do: 'wait', ms: 300 },
  { do: 'say', line: 'Hello?' },
  { do: 'listen', pauseMs: 900, patienceMs: 6000 },
  { do: 'press', keys: '1' },
  { do: 'listen', pauseMs: 900, patienceMs: 6000 },
  { do: 'press', keys: '9' },
  { do: 'wait', ms: 20_000 },
  { do: 'hang-up' },
];

const SILENT: Script = [{ do: 'wait', ms: 120_000 }, { do: 'hang-up' }];

const ECHO: Script = [{ do: 'echo', ms: 600_000 }, { do: 'hang-up' }];

/** Looks up a number. The same number, seed and settings always give the same behaviour. */
export function findCharacter(number: string, options: PhoneBookOptions): Character {
  const match = /^\+?1([2-9]\d\d)55501(\d\d)$/.exec(number);
  if (!match) return { takes: 'refuses', status: NOT_FOUND };
  const random = seededRandom(number.replace('+', ''), options.seed);
  const someone = { ringMs: within(options.ringMs, random()), voice: pick(VOICES, random()) };
  return Number(match[1]) >= 900 ? inTheCrowd(someone, random, options) : atHome(someone, Number(match[2]));
}

interface Someone {
  ringMs: number;
  voice: string;
}

function atHome(someone: Someone, xx: number): Character {
  const answers = (script: Script, voice = someone.voice): Character => ({
    takes: 'answers',
    ...someone,
    voice,
    script,
  });
  const booked = BOOKINGS[xx - FIRST_BOOKING];
  if (booked) return answers(booked.script, booked.voice);
  if (xx < FIRST_BOOKING) return answers(TALK);
  if (xx < 60) return answers(VOICEMAIL);
  if (xx < 70) return { takes: 'refuses', status: BUSY };
  if (xx < 80) return { takes: 'ignores' };
  if (xx < 85) return { takes: 'refuses', status: DECLINES };
  if (xx < 90) return answers(IMPATIENT);
  if (xx < 95) return answers(KEYS);
  if (xx < 98) return { takes: 'refuses', status: UNAVAILABLE };
  return answers(xx === 98 ? SILENT : ECHO);
}

function inTheCrowd(someone: Someone, random: () => number, options: PhoneBookOptions): Character {
  if (random() >= options.answerRate) {
    const chance = random();
    return atHome(someone, CROWD.find(({ upTo }) => chance < upTo)?.xx ?? 70);
  }
  const talkMs = within(options.talkMs, random());
  return { takes: 'answers', ...someone, script: shortTalk(talkMs) };
}

/** Greets, answers once and hangs up after the given time, whatever the other side does. */
function shortTalk(talkMs: number): Script {
  return [
    { do: 'say', line: 'Hello?' },
    { do: 'listen', pauseMs: 900, patienceMs: Math.round(talkMs / 2) },
    { do: 'say', line: 'Yes, that is me.' },
    { do: 'listen-into', speechMs: talkMs, patienceMs: Math.round(talkMs / 2) },
    { do: 'hang-up' },
  ];
}

function within({ first, last }: { first: number; last: number }, chance: number): number {
  return first + Math.floor(chance * (last - first + 1));
}

function pick(list: readonly string[], chance: number): string {
  return list[Math.floor(chance * list.length)] ?? '';
}
