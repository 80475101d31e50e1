import { describe, expect, it, test } from 'vitest';
import { SETTINGS } from '../../test/scenario.ts';
import { addFinal, addInterim, NO_INPUT } from '../recognition/caller-input.rules.ts';
import { openWords } from './late-words.rules.ts';
import { turnPolicy, type RecogniserTraits } from './turn-policy.rules.ts';
import { ringingState, type TurnState } from './turn-state.ts';
import { takeUpInput } from './turn-steps.rules.ts';

const after = (taken: TurnState['taken']): TurnState => ({
  ...ringingState(turnPolicy(SETTINGS, null)),
  taken,
});

describe('words of a recogniser that never sent the final of the last turn', () => {
  it.each<[string, TurnState['taken'], string, string]>([
    [
      'are those after it',
      { finals: [], text: 'A room, please', owesFinal: true },
      'a room please. Uh-huh.',
      'Uh-huh.',
    ],
    [
      'are those after what had no final',
      { finals: ['Hello.'], text: 'Hello. A room', owesFinal: true },
      'A room for two',
      'for two',
    ],
    [
      'are all if the turn had its final',
      { finals: ['A room'], text: 'A room', owesFinal: false },
      'A room too',
      'A room too',
    ],
    [
      'are all if they begin otherwise',
      { finals: [], text: 'A room', owesFinal: true },
      'The room too',
      'The room too',
    ],
    ['are all if there are no more', { finals: [], text: 'A room', owesFinal: true }, 'A room', 'A room'],
    ['are all without a last turn', null, 'A room', 'A room'],
  ])('%s', (_sentence, taken, text, expected) => {
    expect(openWords(after(taken), text)).toBe(expected);
  });
});

test('an interim result after the final of a turn has no final of its own yet', () => {
  const traits: RecogniserTraits = { hasInterim: true, finalWithinMs: 300, endOfTurn: 'none', fallbacks: 0 };
  const spoken = { ...NO_INPUT, startedMs: 100, endedMs: 900, speechMs: 800 };
  const input = addFinal(spoken, 'I need a', { nowMs: 1000, endMs: null });
  const state = { ...ringingState(turnPolicy(SETTINGS, traits)), input };
  expect(takeUpInput(state, 1400).state.taken?.owesFinal).toBe(false);
  const guessed = { ...state, input: addInterim(input, 'room', 1200) };
  expect(takeUpInput(guessed, 1400).state.taken?.owesFinal).toBe(true);
});
