/**
 * Calls as they begin: what people say who pick up, and what machines say, each with built-in voices through a telephone
 * codec. Made when it is needed, the same every time; nothing of it is stored.
 */
import { decodeG711, encodeG711, mixInto, tone } from '@parley/audio';
import type { Synthesiser } from '@parley/speech';

/** The sample rate of all sounds. */
export const SAMPLE_RATE_HZ = 8000;
const VOICES = ['rms', 'slt', 'kal16'] as const;
/** After a person's words; they wait for an answer. Milliseconds. */
const PERSON_WAITS_MS = 5000;
const BEFORE_BEEP_MS = 700;
const BEEP_MS = 400;
const AFTER_BEEP_MS = 3000;
/** Half the width of the noise of a quiet line. */
const NOISE = 20;

/** Who or what has answered. */
type Caller = 'human' | 'machine' | 'screening' | 'menu';

/** One call. */
export interface Greeting {
  by: Caller;
  text: string;
  voice: string;
  /** The sound of the far end, from the answer. Mono, 8000 Hz. */
  sound: Int16Array;
  /** When the words begin and end, milliseconds. */
  spokenFromMs: number;
  spokenToMs: number;
  /** When the assistant speaks, milliseconds since the answer; null if it is silent. */
  assistant: { fromMs: number; toMs: number } | null;
}

const PEOPLE = [
  'Hello?',
  'Hello.',
  'Yes?',
  'Yeah, hi.',
  'Good morning.',
  'Hello, who is this?',
  'Hi, this is Anna.',
  'John Miller.',
  'Speaking.',
  'Yes, hello, Peter here.',
  'Hello? Is anybody there?',
  'Good afternoon, Smith and sons.',
  'What is it?',
  'Hi there, how are you?',
  'This is Doctor Brown.',
  'Hello, can you hear me?',
  'Yes please?',
  'Who is calling?',
  'Front desk, Maria speaking.',
  'Good morning, city garage, you are speaking with Thomas, how can I help you?',
];

const MACHINES = [
  'Hi, you have reached the voicemail of John Miller. Please leave a message after the tone.',
  'Hello, nobody is home right now. Please leave a message after the beep.',
  'You have reached Anna. I cannot take your call right now. Leave your name and number.',
  'The person you are calling is not available. At the tone, please record your message.',
  'Hi, this is Peter. I am on the other line or away from my desk. I will get back to you as soon as I can.',
  'Thank you for calling Smith and sons. Our office is closed. Our hours are nine to five.',
  'Your call has been forwarded to an automatic voice message system.',
  'Hey, it is Sarah. You know what to do.',
  'Hello. You have called the Browns. We are on holiday until the end of the month.',
  'The number you have dialed is not in service. Please check the number and dial again.',
  'Hi, I am busy at the moment. Send me a text message, I never listen to these.',
  'Please leave a message.',
  'This is the mailbox of Doctor Green. In an emergency please call the hospital.',
  'We are sorry, there is nobody here to take your call. Please try again later.',
  'Good day. This is the answering machine of the Miller family. Speak after the signal.',
  'You have reached the city garage. All our lines are busy. Please call again tomorrow.',
  'Hello? Just kidding, I am not here. Leave your number.',
  'Hi, this is Maria, I am travelling and cannot come to the phone. Please write me an email instead.',
  'The mailbox is full and cannot accept any messages at this time. Goodbye.',
  'Welcome to the voice mail service of Tom.',
];

/** People who answer the assistant's first question. */
const REPLIES = [
  'Yes, this is he, but I am afraid that I have very little time at the moment, what is it about?',
  'No, my husband usually takes care of these things, and he is not available right now, I am sorry.',
  'Well, I would have to look that up, because I do not remember which day we had agreed on, give me a second.',
];

/** People who speak over the greeting, which then stops. */
const INTERRUPTIONS = [
  'Hello, hello, who is this? I cannot hear you very well, could you say that again, please?',
  'Hi, sorry, I was just about to leave the house, so you will have to be quick, what do you need?',
];

const SCREENERS = [
  'Hi, the person you are calling is using a screening service, and will get a copy of this conversation. Go ahead and say your name and why you are calling.',
  'Hi, if you record your name and reason for calling, I will see if this person is available.',
];

const MENUS = [
  'Thank you for calling Smith and sons. For sales, press one. For service, press two.',
  'Welcome to the city hospital. Please listen to the following options. To reach a ward, press one.',
];

/** The assistant's greeting, and where a caller's words begin. */
const ASSISTANT_SPEAKS = { fromMs: 1000, toMs: 4000 } as const;
const REPLY_FROM_MS = 4400;
const INTERRUPTION_FROM_MS = 2200;
const ASSISTANT_STOPS_AFTER_MS = 500;

interface Scene {
  by: Caller;
  texts: readonly string[];
  /** When the words begin; different from text to text unless given. */
  fromMs?: number;
  assistant: Greeting['assistant'];
}

const SCENES: readonly Scene[] = [
  { by: 'human', texts: PEOPLE, assistant: null },
  { by: 'machine', texts: MACHINES, assistant: null },
  { by: 'human', texts: REPLIES, fromMs: REPLY_FROM_MS, assistant: ASSISTANT_SPEAKS },
  {
    by: 'human',
    texts: INTERRUPTIONS,
    fromMs: INTERRUPTION_FROM_MS,
    assistant: {
      fromMs: ASSISTANT_SPEAKS.fromMs,
      toMs: INTERRUPTION_FROM_MS + ASSISTANT_STOPS_AFTER_MS,
    },
  },
  { by: 'screening', texts: SCREENERS, assistant: null },
  { by: 'menu', texts: MENUS, assistant: null },
];

/** All calls, in an order of its own: the same in every run. @param share - every n-th text only */
export async function* makeGreetings(voice: Synthesiser, share = 1): AsyncGenerator<Greeting> {
  for (const scene of SCENES)
    for (const [index, text] of scene.texts.entries()) {
      if (index % share !== 0) continue;
      for (const name of VOICES) yield await makeGreeting({ ...scene, text, voice: name, index }, voice);
    }
}

async function makeGreeting(
  { by, text, voice, index, fromMs, assistant }: Scene & Pick<Greeting, 'text' | 'voice'> & { index: number },
  synthesiser: Synthesiser,
): Promise<Greeting> {
  const words = await speak(text, voice, synthesiser);
  const leadMs = fromMs ?? 300 + ((index * 170) % 1200);
  const spokenToMs = leadMs + (words.length * 1000) / SAMPLE_RATE_HZ;
  const beep = {
    hz: 440 + ((index * 130) % 1500),
    sampleRateHz: SAMPLE_RATE_HZ,
    samples: samplesOf(BEEP_MS),
  };
  const tail =
    by !== 'machine'
      ? [silence(PERSON_WAITS_MS)]
      : [silence(BEFORE_BEEP_MS), tone(beep), silence(AFTER_BEEP_MS)];
  const sound = overTelephone([silence(leadMs), words, ...tail]);
  return { by, text, voice, sound, spokenFromMs: leadMs, spokenToMs, assistant };
}

async function speak(text: string, voice: string, synthesiser: Synthesiser): Promise<Int16Array> {
  const manner = { speed: 1, stability: 0, similarity: 0, language: 'en' };
  const options = { voice, sampleRateHz: SAMPLE_RATE_HZ, ...manner };
  const pieces: Int16Array[] = [];
  for await (const piece of synthesiser.speak(text, options, new AbortController().signal))
    pieces.push(piece);
  return joined(pieces);
}

function overTelephone(parts: readonly Int16Array[]): Int16Array {
  const sound = joined(parts);
  let seed = 1;
  const hiss = sound.map(() => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed / 2 ** 31 - 1) * NOISE;
  });
  mixInto(sound, hiss);
  const coded = new Uint8Array(sound.length);
  encodeG711('PCMU', sound, coded);
  decodeG711('PCMU', coded, sound);
  return sound;
}

function silence(ms: number): Int16Array {
  return new Int16Array(samplesOf(ms));
}

function samplesOf(ms: number): number {
  return Math.round((ms * SAMPLE_RATE_HZ) / 1000);
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
