/** What the people of `bench:people` say, as packets of several built-in voices. */
import type { FliteVoice } from '@parley/speech';
import type { Act } from './people-plan.rules.ts';
import { makePhrases, type Phrase } from './talk-phrase.ts';

/** Everything that one voice says. */
export interface Words {
  byAct: Record<Exclude<Act, 'silence' | 'key'>, readonly Phrase[]>;
  /** What follows the pause of `pause`. */
  afterPause: readonly Phrase[];
}

const VOICES = ['slt', 'rms', 'awb'] as const satisfies readonly FliteVoice[];
const SENTENCES = [
  'Tomorrow at three would be fine.',
  'I would like a table for four people.',
  'My name is Robert Miller.',
  'No, in the evening please.',
  'Yes, that is right.',
  'Do you have anything near the window?',
];
const TEXTS = {
  hello: ['Hello?', 'Hello, who is there?'],
  reply: SENTENCES,
  early: ['Yes.', 'No.', 'Tuesday.', 'At seven.', 'Four people.'],
  interrupt: ['Sorry, I would like to change the time.', 'Wait, I have another question.', ...SENTENCES],
  backchannel: ['Uh-huh.', 'Okay.', 'Right.'],
  pause: ['I would like to come on', 'We are four people and'],
  long: [
    'Well, my sister comes from London that day, and she brings her two children, who do not like fish at all, so I hope ' +
      'that you have something else for them, and my husband would like to sit near the window, if that is possible.',
  ],
  background: SENTENCES,
} satisfies Record<keyof Words['byAct'], string[]>;
const AFTER_PAUSE = ['the first Tuesday of next month.', 'one of us is in a wheelchair.'];

/** One for each voice. */
export async function makeWords(): Promise<Words[]> {
  return Promise.all(VOICES.map(wordsOf));
}

async function wordsOf(voice: FliteVoice): Promise<Words> {
  const say = (texts: readonly string[]): Promise<Phrase[]> =>
    makePhrases(texts.map((text) => ({ text, voice })));
  const byAct = {
    hello: await say(TEXTS.hello),
    reply: await say(TEXTS.reply),
    early: await say(TEXTS.early),
    interrupt: await say(TEXTS.interrupt),
    backchannel: await say(TEXTS.backchannel),
    pause: await say(TEXTS.pause),
    long: await say(TEXTS.long),
    background: await say(TEXTS.background),
  };
  return { byAct, afterPause: await say(AFTER_PAUSE) };
}
