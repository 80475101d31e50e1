/**
 * Callers who dictate in groups, become softer, or call from noisy places and over bad networks, over real SIP and RTP: doors,
 * keyboards, music, a child, lost and delayed packets. As in `ordinary-people.test.ts`, both tracks of sound at
 * the telephone are judged, and the words are those that the built-in recogniser decodes from the sound.
 */
import { systemClock } from '@parley/runtime';
import { AnthropicSimulator } from '@parley/speech/fakes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atLevel, child, door, keyboard, music, withPauses } from '../src/noises.ts';
import { PeopleBed, withVoice, type Held, type Speak, type Trial } from '../src/people-bed.ts';
import { into, isWhole, LISTEN, play, QUESTION, say, wait } from '../src/people-steps.ts';

const REQUEST = 'I would like a table for tomorrow.';
const SECOND = 'At half past seven, please.';
/** Takes some 6 s. */
const LONG_ANSWER =
  'Well, that would be fine for me, but my sister comes from London that day and brings her two little children.';
/** What is said in groups, and the pauses after them, milliseconds. */
const DICTATED = {
  number: { groups: ['My phone number is 0 2 0 7.', '9 4 6 0.', '9 5 8.'], pausesMs: [1000, 1200] },
  spelling: { groups: ['My name is spelled M, I.', 'G, D, P.', 'S, T, O, N.'], pausesMs: [800, 1200] },
  address: { groups: ['My email is john.', 'at example.', 'dot com.'], pausesMs: [1000, 1200] },
};
type Dictated = keyof typeof DICTATED;
const DICTATED_NAMES = Object.keys(DICTATED) as Dictated[];
/** How much softer a caller becomes, decibels. */
const SOFTER_DB = [-10, -18] as const;

const modelServer = new AnthropicSimulator({
  clock: systemClock,
  firstAfterMs: 100,
  chat: () => ({ text: QUESTION }),
});
const bed = new PeopleBed({ modelServer, models: ['healthy'], initialMessage: QUESTION });
const TWO_ANSWERS = [LISTEN, say(REQUEST), LISTEN, say(SECOND), LISTEN];
let held: Record<string, Held>;

beforeAll(async () => {
  await bed.start();
  held = await bed.holdAll(await withVoice(makeTrials));
}, 720_000);
afterAll(async () => bed.stop());

async function makeTrials(speak: Speak): Promise<Record<string, Trial>> {
  const trials: Record<string, Trial> = {};
  for (const name of DICTATED_NAMES) {
    const { groups, pausesMs } = DICTATED[name];
    const sounds = await Promise.all(groups.map((group) => speak(group)));
    for (const endpointType of ['ai', 'vad'])
      trials[`${name} ${endpointType}`] = {
        script: [LISTEN, play(withPauses(sounds, pausesMs)), LISTEN],
        assistant: { endpoint_type: endpointType },
      };
  }
  for (const db of SOFTER_DB)
    trials[`softer ${db}`] = {
      script: [
        LISTEN,
        say(REQUEST),
        LISTEN,
        play(atLevel(await speak(LONG_ANSWER), db)),
        LISTEN,
        play(atLevel(await speak(SECOND), db)),
        LISTEN,
      ],
      assistant: { noise_cancellation: true },
    };
  trials['door'] = { script: [into(500), play(door()), ...TWO_ANSWERS, play(door()), wait(3000)] };
  trials['keyboard'] = {
    script: [
      into(500),
      play(keyboard(1500)),
      LISTEN,
      play(keyboard(3000)),
      say(REQUEST),
      LISTEN,
      say(SECOND),
      LISTEN,
    ],
  };
  trials['typing'] = { script: TWO_ANSWERS, behind: keyboard(20_000) };
  trials['music'] = { script: TWO_ANSWERS, behind: atLevel(music(), -6) };
  const shout = await child(speak, 'Mummy!');
  trials['child'] = { script: [into(500), play(shout), ...TWO_ANSWERS] };
  trials['loss'] = { script: TWO_ANSWERS, network: { loss: { packets: 5, every: 60 } } };
  trials['jitter'] = { script: TWO_ANSWERS, network: { jitterMs: 80 } };
  trials['fast clock'] = { script: TWO_ANSWERS, network: { driftPpm: 2000 } };
  trials['slow clock'] = { script: TWO_ANSWERS, network: { driftPpm: -2000 } };
  return trials;
}

const of = (name: string): Held => {
  const call = held[name];
  if (!call) throw new Error(`There was no call: ${name}`);
  return call;
};
/** Who spoke, in the order of the record. */
const speakersOf = (name: string): string[] => of(name).call.turns.map(({ sender }) => sender);
const ONE_ANSWER = ['bot', 'human', 'bot'];
const BOTH_ANSWERS = [...ONE_ANSWER, 'human', 'bot'];
const wordsOf = (name: string): string[] =>
  of(name).call.turns.flatMap(({ sender, text }) => (sender === 'human' ? [text] : []));

/** Every sound of the assistant was a whole question, as often as the record says. */
function expectWhole(name: string, count: number): void {
  expect(of(name).heard.map(isWhole)).toEqual(Array.from({ length: count }, () => true));
}

/** Both answers were replied to, and nothing else was; the assistant was not interrupted. */
function expectConversation(name: string): void {
  expectWhole(name, 3);
  expect(speakersOf(name)).toEqual(BOTH_ANSWERS);
}

describe('a caller who dictates in groups', () => {
  it.each(DICTATED_NAMES.flatMap((name) => ['ai', 'vad'].map((type) => [name, type] as const)))(
    'is heard to the end: %s, endpoint_type %s',
    (dictated, type) => {
      const name = `${dictated} ${type}`;
      expect(speakersOf(name)).toEqual(ONE_ANSWER);
      expectWhole(name, 2);
    },
  );
});

it.each(SOFTER_DB)('a caller who becomes softer by %i dB while noise is kept out is heard', (db) => {
  const name = `softer ${db}`;
  const words = wordsOf(name).join(' ');
  // The first words of the long answer may be taken for somebody else's, for 2 s.
  expect(words).toMatch(/sister comes from London.*little children/i);
  // At -18 dB the recogniser may write "half past seven" as something else.
  expect(wordsOf(name).at(-1)).toMatch(/please/i);
  expect(of(name).heard.slice(-2).map(isWhole)).toEqual([true, true]);
  // "Well," may get a reply of its own, which is cut; it begins before the rest of the long answer or after it.
  expect(speakersOf(name).slice(-3)).toEqual(['bot', 'human', 'bot']);
});

describe('a noise at the caller', () => {
  it.each(['door', 'keyboard', 'typing', 'music'])(
    'neither interrupts the assistant nor is answered: %s',
    expectConversation,
  );

  it.each(['door', 'keyboard'])('does not cost the words after it: %s', (name) => {
    expect(wordsOf(name)[0]).toMatch(/table for to-?morrow/i);
  });

  it('does not end the call when it is a child who shouts', () => {
    expect(of('child').heard.slice(-2).map(isWhole)).toEqual([true, true]);
    expect(speakersOf('child').slice(-4)).toEqual(['human', 'bot', 'human', 'bot']);
    expect(wordsOf('child').join(' ')).toMatch(/table/i);
  });
});

it.each(['loss', 'jitter', 'fast clock', 'slow clock'])(
  'a bad network costs no turn: %s',
  expectConversation,
);
