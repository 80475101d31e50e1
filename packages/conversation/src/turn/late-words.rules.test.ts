import { describe, expect, it, test } from 'vitest';
import { SETTINGS } from '../../test/scenario.ts';
import { stateIn } from '../../test/turn-states.ts';
import { NO_ACTIVITY } from '../recognition/caller-activity.rules.ts';
import { addFinal, addInterim, NO_INPUT } from '../recognition/caller-input.rules.ts';
import { openWords, placeGuess, placeWords } from './late-words.rules.ts';
import { turnPolicy, type RecogniserTraits } from './turn-policy.rules.ts';
import { ringingState, type PhaseName, type TurnState } from './turn-state.ts';
import { takeUpInput } from './turn-steps.rules.ts';

const traits: RecogniserTraits = { hasInterim: true, finalWithinMs: 300, endOfTurn: 'none', fallbacks: 0 };
const ringing = ringingState(turnPolicy(SETTINGS, traits));
const spoken = { ...NO_INPUT, startedMs: 100, endedMs: 900, speechMs: 800 };

describe('words of a recogniser that never sent the final of earlier ones', () => {
  it.each([
    ['are those after them', 'A room, please', 'a room please. Uh-huh.', 'Uh-huh.'],
    ['are all if it had sent it', '', 'A room too', 'A room too'],
    ['are all if they begin otherwise', 'A room', 'The room too', 'The room too'],
    ['are all if there are no more', 'A room', 'A room', 'A room'],
  ])('%s', (_sentence, staleGuess, text, expected) => {
    expect(openWords({ ...ringing, staleGuess }, text)).toBe(expected);
  });

  it('are no more than before if its interim result repeats them', () => {
    const state = { ...ringing, staleGuess: 'A room', input: spoken };
    expect(placeGuess(state, 'a room', 1000).input.interim).toBe('');
    expect(placeGuess(state, 'a room. Uh-huh', 1000).input.interim).toBe('Uh-huh');
  });
});

describe('an interim result that comes after its turn was answered', () => {
  const caller = { ...NO_ACTIVITY, startedMs: 100, lastSpeechMs: 900 };
  const answered = (name: PhaseName): TurnState => ({
    ...stateIn(name, { caller, input: NO_INPUT }),
    policy: ringing.policy,
  });

  it('over the reply is no part of what the caller says next', () => {
    const state = placeGuess(answered('speaking'), 'A room', 1400);
    expect(placeGuess({ ...state, input: spoken }, 'A room uh-huh', 2000).input.interim).toBe('uh-huh');
  });

  it('after the reply is the beginning of soft speech', () => {
    expect(placeGuess(answered('waiting'), 'A room', 1400).staleGuess).toBe('');
  });

  it('in sound that counted as no speech shows that the caller speaks', () => {
    const state = answered('speaking');
    const guessed = placeGuess({ ...state, caller: { ...caller, mutedMs: 1300 } }, 'A room', 1400);
    expect(guessed).toMatchObject({ staleGuess: '', caller: { mutedMs: null } });
  });

  it('is forgotten with the next final', () => {
    const state = { ...answered('speaking'), staleGuess: 'A room', input: spoken };
    const event = { type: 'words.recognised', text: 'A room. Uh-huh.', endMs: null } as const;
    const placed = placeWords(state, event, 2000);
    expect(placed.state).toMatchObject({ staleGuess: '', input: { finals: ['Uh-huh.'] } });
  });
});

test('an interim result after the final of a turn has no final of its own yet', () => {
  const input = addFinal(spoken, 'I need a', { nowMs: 1000, endMs: null });
  const state = { ...ringing, input };
  expect(takeUpInput(state, 1400).state.taken?.owesFinal).toBe(false);
  const guessed = { ...state, input: addInterim(input, 'room', 1200) };
  const { taken, staleGuess } = takeUpInput(guessed, 1400).state;
  expect(taken?.owesFinal).toBe(true);
  expect(staleGuess).toBe('room');
});
