import { describe, expect, it } from 'vitest';
import { hearWindow, NO_ACTIVITY, segmentMs, type CallerActivity } from './caller-activity.rules.ts';

const WINDOW_MS = 32;

/** Windows of 32 ms from 0 on, each with its probability. */
function hear(probabilities: number[], pauseMs = 250): CallerActivity {
  return probabilities.reduce(
    (activity, probability, n) => hearWindow(activity, { probability, endMs: (n + 1) * WINDOW_MS }, pauseMs),
    NO_ACTIVITY,
  );
}
const times = (count: number, probability: number): number[] =>
  Array.from({ length: count }, () => probability);

describe('hearWindow', () => {
  it.each([
    ['silence is silence', [0, 0.1, 0.2], { isSpeaking: false, startedMs: 0 }],
    ['one loud window is a click', [0, 0.9, 0], { isSpeaking: false }],
    ['two loud windows with a quiet one between are two clicks', [0.9, 0.1, 0.9], { isSpeaking: false }],
    [
      'two loud windows in a row are speech, from the start of the first',
      [0, 0.9, 0.9],
      { isSpeaking: true, startedMs: 32, lastSpeechMs: 96 },
    ],
    ['0.45 does not start speech', times(5, 0.45), { isSpeaking: false }],
    ['0.45 keeps speech going', [0.9, 0.9, ...times(10, 0.45)], { isSpeaking: true, lastSpeechMs: 384 }],
    [
      'a pause of 224 ms is within the speech',
      [0.9, 0.9, ...times(7, 0)],
      { isSpeaking: true, lastSpeechMs: 64 },
    ],
    ['a pause of 256 ms ends it', [0.9, 0.9, ...times(8, 0)], { isSpeaking: false, lastSpeechMs: 64 }],
    ['the detector is followed in any case', times(4, 0), { analysedMs: 128 }],
  ])('%s', (_sentence, probabilities, expected) => {
    expect(hear(probabilities)).toMatchObject(expected);
  });

  it('a shorter pause may end the speech of an impatient assistant', () => {
    expect(hear([0.9, 0.9, 0, 0, 0, 0], 100).isSpeaking).toBe(false);
  });

  it('the silence counts from the end of the sound, which the detector hears late', () => {
    const tail = [96, 128, 160].map((endMs) => ({ probability: 0.9, endMs, soundEndMs: 100 }));
    const spoken = tail.reduce((before, window) => hearWindow(before, window, 100), hear([0.9, 0.9]));
    expect(spoken).toMatchObject({ isSpeaking: true, lastSpeechMs: 100 });
    const over = hearWindow(spoken, { probability: 0, endMs: 192, soundEndMs: 100 }, 90);
    expect(over).toMatchObject({ isSpeaking: false, lastSpeechMs: 100 });
  });

  it('what is soft for longer than the detector is late is speech', () => {
    const soft = { probability: 0.9, endMs: 320, soundEndMs: 64 };
    expect(hearWindow(hear([0.9, 0.9]), soft, 100).lastSpeechMs).toBe(224);
  });

  it('the length of a segment runs to its last speech', () => {
    expect(segmentMs(hear([0, ...times(10, 0.9), 0, 0]))).toBe(320);
  });
});
