/**
 * The far end has hung up before the recogniser has reported the caller's last words: people hang up within a second of
 * their goodbye. The words are awaited in the state `hung-up`, so that the transcript contains them and a request not to be
 * called again is heeded.
 */
import { utterancesOf } from '../recognition/caller-input.rules.ts';
import { hasCoveringFinal } from '../recognition/endpointing.rules.ts';
import { discarding } from './draft.rules.ts';
import { placeWords } from './late-words.rules.ts';
import type { Effect, EventOf, StateIn, Step, TurnState } from './turn-state.ts';
import { after, close, enter, stay } from './turn-steps.rules.ts';

/** Any phase after the answer × line.ended. */
export function endLine(state: TurnState): Step {
  const { phase, caller, input } = state;
  if (phase.name === 'machine' || !owesWords(state)) return close(state);
  const abort: Effect[] = 'turn' in phase ? [{ type: 'abort', turn: phase.turn.number }] : [];
  const isAsked = input.finalisedMs !== null && input.finalisedMs >= caller.lastSpeechMs;
  const ask: Effect[] = isAsked ? [] : [{ type: 'finalise', speechFromMs: caller.startedMs }];
  return enter({ ...state, draft: null }, { name: 'hung-up' }, ...discarding(state), ...abort, ...ask);
}

/** hung-up × words.recognised: they may be those of earlier speech. */
export function readLastWords(
  before: StateIn<'hung-up'>,
  event: EventOf<'words.recognised'>,
  nowMs: number,
): Step {
  const { state, effects } = placeWords(before, event, nowMs);
  return after(effects, owesWords(state) ? stay(state) : close(state));
}

function owesWords({ policy, caller, input }: TurnState): boolean {
  if (policy.recogniser === null || policy.recogniser.isModel) return false;
  const hasSpoken = utterancesOf(input).some(({ kind }) => kind !== 'dtmf');
  return hasSpoken && !hasCoveringFinal({ activity: caller, input });
}
