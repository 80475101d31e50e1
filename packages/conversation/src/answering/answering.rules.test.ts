import { describe, expect, it } from 'vitest';
import { hearWindow, NO_ACTIVITY } from '../recognition/caller-activity.rules.ts';
import { hearAnswer, NO_ANSWER_YET, type AnsweringEvent, type AnsweringState } from './answering.rules.ts';

type Step = { quietMs: number } | { speechMs: number } | Exclude<AnsweringEvent, { type: 'voice' }>;

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
  for (const step of steps) {
    if ('type' in step) take(step);
    else {
      const isSpeech = 'speechMs' in step;
      for (let left = isSpeech ? step.speechMs : step.quietMs; left > 0; left -= 20) {
        nowMs += 20;
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
      [{ quietMs: 400 }, { speechMs: 600 }, { quietMs: 1000 }],
      'human',
      1500,
    ],
    [
      'a person says two short things',
      [{ speechMs: 500 }, { quietMs: 300 }, { speechMs: 700 }, { quietMs: 600 }],
      'human',
      2000,
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
      [{ speechMs: 2000 }, { type: 'final', text: 'a b c d e f' }, { type: 'interim', text: 'g h i j k l' }],
      'machine',
      2000,
    ],
    ['a machine only beeps', [{ quietMs: 3000 }, { type: 'beep' }], 'machine', 3000],
    [
      'a machine that pauses like a person gives itself away by its beep',
      [{ speechMs: 800 }, { quietMs: 700 }, { speechMs: 1500 }, { type: 'beep' }],
      'machine',
      3000,
    ],
    [
      'a machine that pauses like a person gives itself away by its words',
      [{ speechMs: 800 }, { quietMs: 700 }, { type: 'final', text: 'after the tone' }],
      'machine',
      1500,
    ],
    ['nobody says anything', [{ quietMs: 12_000 }], 'unknown', 10_000],
    [
      'someone talks at length only when asked',
      [{ quietMs: 6000 }, { speechMs: 5000 }, { quietMs: 600 }],
      'human',
      11_500,
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
        { quietMs: 600 },
        { speechMs: 9000 },
        { type: 'final', text: 'a b c d e f g h i j k l m' },
      ],
      'human',
      1100,
    ],
    [
      'a person whose phone beeps after 20 s stays a person',
      [{ speechMs: 500 }, { quietMs: 20_000 }, { type: 'beep' }],
      'human',
      1000,
    ],
    ['after a key nothing makes a machine of them', [{ type: 'key' }, { type: 'beep' }], 'human', 0],
  ] as const)('%s', (_name, steps, verdict, atMs) => {
    const told = verdictAfter(steps);
    expect(told.verdict).toBe(verdict);
    expect(Math.abs(told.atMs - atMs), `told at ${told.atMs}`).toBeLessThanOrEqual(60);
  });

  it('nothing is told too early', () => {
    expect(verdictAfter([{ quietMs: 9000 }]).verdict).toBeNull();
    expect(verdictAfter([{ speechMs: 2400 }]).verdict).toBeNull();
  });
});
