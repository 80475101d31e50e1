/** What a caller in a queue hears, with a scripted voice. */
import type { CallForVoice } from '@parley/core';
import { captureLog } from '@parley/testkit';
import { FakeMedia } from '@parley/telephony/fakes';
import { describe, expect, it } from 'vitest';
import { QueueSound } from './queue-sound.ts';

const MUSIC = new Int16Array(800).fill(7);
const CALL = {
  assistant: { mode: 'pipeline', speechSpeed: 1, voiceStability: null, voiceSimilarity: null },
  voice: { wireName: 'ann' },
  language: { iso2: 'en' },
  variables: { name: 'Ada', queue_position: 99 },
} as unknown as CallForVoice;

/** @param speak - the pieces of the voice; by default one for each character of the text */
function setup(speak?: (words: string, signal: AbortSignal) => AsyncIterable<Int16Array>) {
  const spoken: string[] = [];
  const { log, lines } = captureLog();
  const media = new FakeMedia();
  const end = new AbortController();
  let released = 0;
  async function* perCharacter(words: string) {
    for (const _character of words) yield new Int16Array(80).fill(5);
  }
  const synthesiser = {
    speak: (words: string, _options: unknown, signal: AbortSignal) => {
      spoken.push(words);
      return (speak ?? perCharacter)(words, signal);
    },
  };
  const engines = {
    forCall: () => ({ synthesiser, release: () => (released += 1) }),
    ambientSounds: { holdMusic: async () => MUSIC },
  };
  const sound = new QueueSound({
    voice: { core: {}, engines } as never,
    call: CALL,
    media,
    text: '{{name}}, you are number {{queue_position}}.',
    log,
    signal: end.signal,
  });
  return { sound, media, spoken, end, lines, released: () => released };
}

describe('the sound of a queue', () => {
  it('is the position in the words of the owner, without music, and lasts as long as its samples', async () => {
    const { sound, media, spoken } = setup();
    await sound.playMusic();
    expect(media.ambience?.samples).toBe(MUSIC);
    expect(await sound.announce(3)).toBe(22 * 10);
    expect(spoken).toEqual(['Ada, you are number 3.']);
    expect(media.ambience).toBeNull();
    media.passFrame();
    expect(new Set(media.heard)).toEqual(new Set([5]));
  });

  it('goes on with music when the voice fails', async () => {
    const { sound, media, lines } = setup(() => {
      throw new Error('The voice is unavailable');
    });
    await sound.playMusic();
    expect(await sound.announce(1)).toBe(0);
    expect(media.ambience?.samples).toBe(MUSIC);
    expect(lines.map(({ msg }) => msg)).toEqual(['A position in a queue could not be spoken']);
  });

  it('is silent once the wait is over, also for a voice that is slow', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { sound, media, end, lines, released } = setup(async function* slow() {
      yield new Int16Array(80).fill(5);
      await promise;
      yield new Int16Array(80).fill(5);
    });
    const announced = sound.announce(1);
    end.abort();
    sound.stop();
    resolve();
    expect(await announced).toBe(0);
    await sound.playMusic();
    media.passFrame();
    expect([media.ambience, new Set(media.heard), lines, released()]).toEqual([null, new Set([0]), [], 1]);
  });
});
