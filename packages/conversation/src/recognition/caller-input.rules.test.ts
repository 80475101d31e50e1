import { describe, expect, it } from 'vitest';
import { NO_ACTIVITY, type CallerActivity } from './caller-activity.rules.ts';
import {
  addFinal,
  addInterim,
  addKey,
  addSpeech,
  inputText,
  NO_INPUT,
  utterancesOf,
} from './caller-input.rules.ts';

const speaking = (startedMs: number, lastSpeechMs: number): CallerActivity => ({
  ...NO_ACTIVITY,
  isSpeaking: true,
  startedMs,
  lastSpeechMs,
});
const spoke = (startedMs: number, endedMs: number): typeof NO_INPUT =>
  addSpeech(NO_INPUT, NO_ACTIVITY, speaking(startedMs, endedMs));
const at = { nowMs: 2000, endMs: null };

describe('addSpeech', () => {
  it('counts a new segment from its start', () => {
    expect(spoke(100, 164)).toMatchObject({ startedMs: 100, endedMs: 164, speechMs: 64 });
  });

  it('adds what a segment grows by', () => {
    const grown = addSpeech(spoke(100, 164), speaking(100, 164), speaking(100, 196));
    expect(grown).toMatchObject({ startedMs: 100, endedMs: 196, speechMs: 96 });
  });

  it('leaves pauses between segments out', () => {
    const paused = { ...speaking(100, 164), isSpeaking: false };
    expect(addSpeech(spoke(100, 164), paused, speaking(1000, 1064))).toMatchObject({
      startedMs: 100,
      endedMs: 1064,
      speechMs: 128,
    });
  });

  it('adds nothing for a window without speech', () => {
    const input = spoke(100, 164);
    expect(addSpeech(input, speaking(100, 164), speaking(100, 164))).toBe(input);
  });
});

describe('inputText', () => {
  it('a guess replaces the guess before it, a final replaces the guess', () => {
    const guessed = addInterim(addInterim(NO_INPUT, 'I wan', 10), ' I want ', 20);
    expect(inputText(guessed)).toBe('I want');
    expect(guessed.interimSinceMs).toBe(20);
    expect(inputText(addFinal(guessed, 'I want a room.', at))).toBe('I want a room.');
  });

  it('an unchanged guess keeps its age', () => {
    expect(addInterim(addInterim(NO_INPUT, 'yes', 10), 'yes', 20).interimSinceMs).toBe(10);
  });

  it('finals follow one another, empty ones leave no trace', () => {
    const input = addFinal(addFinal(addFinal(NO_INPUT, 'One.', at), ' ', at), 'Two.', at);
    expect(inputText(input)).toBe('One. Two.');
  });
});

describe('utterancesOf', () => {
  it.each([
    ['nothing gives nothing', NO_INPUT, []],
    ['a click gives nothing', spoke(100, 200), []],
    [
      'speech without words is not recognised',
      spoke(100, 300),
      [{ kind: 'unrecognised', text: '', startedMs: 100, endedMs: 300 }],
    ],
    [
      'words make even short speech count',
      addFinal(spoke(100, 200), 'No.', at),
      [{ kind: 'speech', text: 'No.', startedMs: 100, endedMs: 200 }],
    ],
    [
      'keys stand together, in order',
      addKey(addKey(NO_INPUT, '4', 500), '2', 900),
      [{ kind: 'dtmf', text: '42', startedMs: 500, endedMs: 900 }],
    ],
    [
      'speech comes before keys',
      addKey(spoke(100, 300), '#', 900),
      [
        { kind: 'unrecognised', text: '', startedMs: 100, endedMs: 900 },
        { kind: 'dtmf', text: '#', startedMs: 100, endedMs: 900 },
      ],
    ],
  ])('%s', (_sentence, input, expected) => {
    expect(utterancesOf(input)).toEqual(expected);
  });
});

it('a turn has at most 100 keys, and further ones do not prolong it', () => {
  let input = NO_INPUT;
  for (let at = 1; at <= 5000; at += 1) input = addKey(input, '1', at);
  expect([input.keys.length, input.lastKeyMs]).toEqual([100, 100]);
});
