/** What the end of a conversation reports as having gone wrong. The fake voice needs 50 ms for a character. */
import { createFakeRecogniser, fakeSpeech, type FakeAnswer } from '@parley/speech/fakes';
import { ManualClock } from '@parley/runtime';
import { describe, expect, it } from 'vitest';
import { Scenario, type ScenarioOptions } from '../test/scenario.ts';
import { FRAME_MS } from './audio-line.ts';
import { CallQualityMeter, joinQuality } from './record/call-quality.ts';
import type { Effect } from './turn/turn-state.ts';

const CALLER_TURN: Effect = {
  type: 'note-caller',
  utterance: { kind: 'speech', text: 'A room.', startedMs: 0, endedMs: 800 },
  isAside: false,
};

/** 4 s. */
const LONG = 'We have rooms for one, two or three people, and they all look out to the garden.';

function setup(answers: FakeAnswer[], utterances: string[], options: ScenarioOptions = {}): Scenario {
  const clock = new ManualClock();
  const recogniser = createFakeRecogniser({ clock, utterances, hasInterim: true });
  return new Scenario({ clock, recogniser, answers, ...options });
}

describe('the quality of a conversation', () => {
  it('has no faults when every turn was answered', async () => {
    const call = setup([fakeSpeech('Which one?')], ['A room.']);
    await call.answerAndGreet();
    await call.speech(800);
    await call.silence(2000);
    const { quality } = await call.end();
    expect(quality).toMatchObject({ unansweredTurns: 0, falseInterruptions: 0, timesTalkedOver: 0 });
    expect(quality.longestSilenceMs).toBeLessThan(1500);
  });

  it('counts a turn after which the assistant is silent, and the silence', () => {
    const meter = new CallQualityMeter();
    const silence = { isCallerSpeaking: false, turn: 0, isFiller: false };
    const hear = (ms: number, frame = silence): void => {
      for (let heardMs = 0; heardMs < ms; heardMs += FRAME_MS) meter.hearFrame(frame);
    };
    meter.seeEffect(CALLER_TURN);
    hear(3900);
    hear(100, { ...silence, turn: 2 });
    meter.seeEffect(CALLER_TURN);
    hear(6000);
    expect(meter.figures().quality).toMatchObject({ unansweredTurns: 1, longestSilenceMs: 6000 });
  });

  it('counts an interruption that was none', async () => {
    const call = setup([], [''], { settings: { initialMessage: LONG } });
    await call.answer();
    await call.silence(500);
    await call.speech(700);
    await call.silence(3000);
    expect((await call.end()).quality.falseInterruptions).toBe(1);
  });

  it('counts speech of the caller to which the assistant did not yield', async () => {
    const call = setup([], ['But I want a big one.'], {
      settings: { initialMessage: LONG, allowInterruptions: false },
    });
    await call.answer();
    await call.silence(500);
    await call.speech(1500);
    await call.silence(500);
    expect((await call.end()).quality.timesTalkedOver).toBe(1);
  });

  it('of several conversations is their sum, and the longest of their silences', () => {
    const part = {
      unansweredTurns: 1,
      longestSilenceMs: 300,
      falseInterruptions: 2,
      timesTalkedOver: 0,
      underruns: 1,
    };
    expect(joinQuality([part, { ...part, longestSilenceMs: 100 }])).toEqual({
      unansweredTurns: 2,
      longestSilenceMs: 300,
      falseInterruptions: 4,
      timesTalkedOver: 0,
      underruns: 2,
    });
    expect(joinQuality([]).longestSilenceMs).toBe(0);
  });
});
