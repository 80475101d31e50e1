import { describe, expect, it } from 'vitest';
import { hearWindow, NO_ACTIVITY } from '../recognition/caller-activity.rules.ts';
import { hearAnswer, NO_ANSWER_YET, type AnsweringEvent, type AnsweringState } from './answering.rules.ts';

type Step =
  | { quietMs: number; isOurs?: boolean }
  | { speechMs: number; isOurs?: boolean }
  | Exclude<AnsweringEvent, { type: 'voice' }>;

/** Plays a call from its answer, in windows of 20 ms. */
function verdictAfter(steps: readonly Step[]): { verdict: AnsweringState['verdict']; atMs: number } {
  let state = NO_ANSWER_YET;
  let activity = NO_ACTIVITY;
  let nowMs = 0;
  let told: { verdict: AnsweringState['verdict']; atMs: number } = { verdict: null, atMs: 0 };
  const take = (event: AnsweringEvent): void => {
    state = hearAnswer(state, event, { nowMs, language: 'en' });
    if (state.verdict !== told.verdict) told = { verdict: state.verdict, atMs: nowMs };
  };
  const speakIf = (isOurs = false): void => (isOurs ? take({ type: 'spoken' }) : undefined);
  for (const step of steps) {
    if ('type' in step) take(step);
    else {
      const isSpeech = 'speechMs' in step;
      for (let left = isSpeech ? step.speechMs : step.quietMs; left > 0; left -= 20) {
        nowMs += 20;
        speakIf(step.isOurs);
        activity = hearWindow(activity, { probability: isSpeech ? 1 : 0, endMs: nowMs }, 250);
        take({ type: 'voice', activity });
      }
    }
  }
  return told;
}

describe('who has answered', () => {
  it.each([
    [
      'a person says hello and waits',
      [{ quietMs: 400 }, { speechMs: 600 }, { quietMs: 1200 }],
      'human',
      2000,
    ],
    [
      'a person says two short things',
      [{ speechMs: 500 }, { quietMs: 300 }, { speechMs: 700 }, { quietMs: 1200 }],
      'human',
      2500,
    ],
    ['a person presses a key', [{ quietMs: 2000 }, { type: 'key' }], 'human', 2000],
    ['a machine talks on', [{ quietMs: 300 }, { speechMs: 6000 }], 'machine', 2820],
    [
      'a machine with short pauses talks on',
      [{ speechMs: 1500 }, { quietMs: 400 }, { speechMs: 1500 }],
      'machine',
      2500,
    ],
    [
      'a machine says what machines say',
      [{ speechMs: 1200 }, { type: 'interim', text: 'please leave a message' }],
      'machine',
      1200,
    ],
    [
      'a machine has many words in little time',
      [
        { speechMs: 2000 },
        { type: 'final', text: 'a b c d e f g h i j k l' },
        { type: 'interim', text: 'm n o p q r s t u v w x' },
      ],
      'machine',
      2000,
    ],
    ['a machine only beeps', [{ quietMs: 3000 }, { type: 'beep' }], 'machine', 3000],
    [
      'a machine that pauses like a person gives itself away by its beep',
      [{ speechMs: 800 }, { quietMs: 1200 }, { speechMs: 1500 }, { type: 'beep' }],
      'machine',
      3500,
    ],
    [
      'words of a machine after a person has answered are words of that person',
      [{ speechMs: 800 }, { quietMs: 1100 }, { type: 'final', text: 'he is not available right now' }],
      'human',
      1800,
    ],
    [
      'a person who answers our greeting may take as long as they like',
      [
        { quietMs: 600 },
        { quietMs: 2000, isOurs: true },
        { quietMs: 400 },
        { speechMs: 9000 },
        { quietMs: 1200 },
      ],
      'human',
      13_000,
    ],
    [
      'a person who answers our greeting may use the words of a machine',
      [
        { quietMs: 2000, isOurs: true },
        { speechMs: 1500 },
        { type: 'interim', text: 'my husband is not available' },
        { quietMs: 1200 },
      ],
      'human',
      4500,
    ],
    [
      'a person who interrupts our greeting may, too',
      [
        { quietMs: 1000, isOurs: true },
        { speechMs: 500, isOurs: true },
        { speechMs: 9000 },
        { quietMs: 1200 },
      ],
      'human',
      11_500,
    ],
    [
      'a person with a long first sentence is a person where words arrive',
      [{ speechMs: 1000 }, { type: 'interim', text: 'good morning' }, { speechMs: 3500 }, { quietMs: 1200 }],
      'human',
      5500,
    ],
    [
      'a machine talks on over our greeting',
      [
        { quietMs: 1000, isOurs: true },
        { speechMs: 7000, isOurs: true },
      ],
      'machine',
      7000,
    ],
    [
      'a machine begins with our greeting',
      [
        { quietMs: 400, isOurs: true },
        { speechMs: 4000, isOurs: true },
      ],
      'machine',
      2920,
    ],
    [
      'a screening assistant asks for a name',
      [
        { speechMs: 1000 },
        { type: 'interim', text: 'if you record your name and' },
        { speechMs: 2000 },
        { type: 'interim', text: 'if you record your name and reason for calling' },
      ],
      'screening',
      3000,
    ],
    [
      'a menu offers keys',
      [
        { speechMs: 1000 },
        { type: 'interim', text: 'thanks' },
        { speechMs: 3000 },
        { type: 'final', text: 'press one' },
      ],
      'menu',
      4000,
    ],
    ['no speech', [{ quietMs: 12_000 }], 'unknown', 10_000],
    [
      'someone talks at length only when asked',
      [
        { quietMs: 1000 },
        { quietMs: 4000, isOurs: true },
        { quietMs: 1000 },
        { speechMs: 5000 },
        { quietMs: 1200 },
      ],
      'human',
      12_000,
    ],
    [
      'someone who was silent at first turns out to be a machine',
      [{ quietMs: 11_000 }, { type: 'beep' }],
      'machine',
      11_000,
    ],
    [
      'a person who said hello may talk as long as they like',
      [
        { speechMs: 600 },
        { quietMs: 1200 },
        { speechMs: 9000 },
        { type: 'final', text: 'a b c d e f g h i j k l m' },
      ],
      'human',
      1600,
    ],
    [
      'a person whose phone beeps after 20 s stays a person',
      [{ speechMs: 500 }, { quietMs: 20_000 }, { type: 'beep' }],
      'human',
      1500,
    ],
    ['after a key nothing makes a machine of them', [{ type: 'key' }, { type: 'beep' }], 'human', 0],
  ] as const)('%s', (_name, steps, verdict, atMs) => {
    const told = verdictAfter(steps);
    expect(told.verdict).toBe(verdict);
    expect(Math.abs(told.atMs - atMs), `told at ${told.atMs}`).toBeLessThanOrEqual(60);
  });

  it('no verdict comes too early', () => {
    expect(verdictAfter([{ quietMs: 9000 }]).verdict).toBeNull();
    expect(verdictAfter([{ speechMs: 2400 }]).verdict).toBeNull();
  });
});
