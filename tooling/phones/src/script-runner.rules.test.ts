import { describe, expect, test } from 'vitest';
import { RUNNER_START, runScript } from './script-runner.rules.ts';
import type { Script } from './script.ts';

/**
 * Runs a script against a sound drawn as text, one letter for 100 ms: `#` the other side speaks, `.` it does not. What the
 * person says lasts 300 ms. Gives what was done and when, in milliseconds.
 */
function perform(script: Script, sound: string): string[] {
  const done: string[] = [];
  let state = RUNNER_START;
  let speakingUntilMs = 0;
  for (let ms = 0; ms < sound.length * 100; ms += 20) {
    const heard = { isLoud: sound[Math.floor(ms / 100)] === '#', isSpeaking: ms < speakingUntilMs };
    const result = runScript(script, state, heard);
    state = result.state;
    if (!result.effect) continue;
    done.push(`${ms} ${result.effect.do}`);
    if (result.effect.do === 'say' || result.effect.do === 'beep') speakingUntilMs = ms + 300;
  }
  return done;
}

const SAY = { do: 'say', line: 'x' } as const;
const END = { do: 'hang-up' } as const;
const LISTEN = { do: 'listen', pauseMs: 500, patienceMs: 2000 } as const;
const INTO = { do: 'listen-into', speechMs: 400, patienceMs: 2000 } as const;

describe('script runner', () => {
  test.each<[string, Script, string, string[]]>([
    [
      'lines follow each other, each to its end',
      [SAY, SAY, END],
      '..........',
      ['0 say', '300 say', '600 hang-up'],
    ],
    ['a wait takes its time', [{ do: 'wait', ms: 400 }, SAY, END], '..........', ['400 say', '700 hang-up']],
    ['keys are pressed at once', [{ do: 'press', keys: '1' }, END], '....', ['0 press', '20 hang-up']],
    ['hanging up is done once', [END], '..........', ['0 hang-up']],
    ['who has no more steps hangs up', [SAY], '..........', ['0 say', '300 hang-up']],
    ['an empty script hangs up', [], '....', ['0 hang-up']],
    [
      'a reply comes half a second after the other side has stopped',
      [LISTEN, END],
      '..####..........',
      ['1080 hang-up'],
    ],
    ['a gap between words is no pause', [LISTEN, END], '..##...##............', ['1380 hang-up']],
    ['silence is borne until the patience is over', [LISTEN, END], '.'.repeat(30), ['2000 hang-up']],
    [
      'a long speech is not interrupted when the patience is over',
      [LISTEN, END],
      `${'#'.repeat(30)}.........`,
      ['3480 hang-up'],
    ],
    [
      'speech before the step does not count',
      [SAY, LISTEN, END],
      '##...............................',
      ['0 say', '2300 hang-up'],
    ],
    ['some hang up in mid-sentence', [INTO, END], '...##########', ['680 hang-up']],
    ['some wait for a sentence in vain', [INTO, END], '.'.repeat(30), ['2000 hang-up']],
    [
      'an echo lasts as long as it may',
      [{ do: 'echo', ms: 500 }, END],
      '..........',
      ['0 echo', '500 hang-up'],
    ],
  ])('%s', (_, script, sound, expected) => {
    expect(perform(script, sound)).toEqual(expected);
  });
});
