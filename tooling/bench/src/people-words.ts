/** What the people of `bench:people` say, as packets of several built-in voices. */
import type { FliteVoice } from '@parley/speech';
import { PEOPLE_TEXTS, TEXTS_AFTER_PAUSE, type Act } from '@parley/testkit';
import { makePhrases, type Phrase } from './talk-phrase.ts';

/** Everything that one voice says. */
export interface Words {
  byAct: Record<Exclude<Act, 'silence' | 'key'>, readonly Phrase[]>;
  /** What follows the pause of `pause`. */
  afterPause: readonly Phrase[];
}

const VOICES = ['slt', 'rms', 'awb'] as const satisfies readonly FliteVoice[];
/** One for each voice. */
export async function makeWords(): Promise<Words[]> {
  return Promise.all(VOICES.map(wordsOf));
}

async function wordsOf(voice: FliteVoice): Promise<Words> {
  const say = (texts: readonly string[]): Promise<Phrase[]> =>
    makePhrases(texts.map((text) => ({ text, voice })));
  const byAct = {
    hello: await say(PEOPLE_TEXTS.hello),
    reply: await say(PEOPLE_TEXTS.reply),
    early: await say(PEOPLE_TEXTS.early),
    interrupt: await say(PEOPLE_TEXTS.interrupt),
    backchannel: await say(PEOPLE_TEXTS.backchannel),
    pause: await say(PEOPLE_TEXTS.pause),
    long: await say(PEOPLE_TEXTS.long),
    background: await say(PEOPLE_TEXTS.background),
  };
  return { byAct, afterPause: await say(TEXTS_AFTER_PAUSE) };
}
