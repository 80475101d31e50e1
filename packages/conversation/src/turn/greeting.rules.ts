/**
 * How far the first message has got. In a call that we placed, it is said once more if the callee has cut it in its first
 * second: what they heard of it tells them nothing.
 */
import { inputText } from '../recognition/caller-input.rules.ts';
import { isStop } from '../recognition/caller-words.rules.ts';
import type { AssistantTurn, EventOf, TurnState } from './turn-state.ts';

/**
 * A message that is cut before this much of it was sent is said again: a second, and the time by which a recogniser whose
 * words come late delays the decision.
 */
const HARDLY_HEARD_MS = 1200;
const FRAME_MS = 20;

type Progress = TurnState['greeting'];

/** Counts a frame of the first message. */
export function countGreeting(
  { greeting, phase }: TurnState,
  { sentTurn, isFiller }: EventOf<'line.ticked'>,
): Progress {
  const isGreeting = 'turn' in phase && phase.turn.kind === 'greeting' && phase.turn.number === sentTurn;
  return isGreeting && !isFiller ? { ...greeting, sentMs: greeting.sentMs + FRAME_MS } : greeting;
}

/** The caller has cut a turn. */
export function cutGreeting({ greeting, input, policy }: TurnState, turn: AssistantTurn): Progress {
  const isFirst = turn.kind === 'greeting' && policy.greetingDelayMs !== null && !greeting.hasRestarted;
  const isCut = isFirst && input.keys === '' && greeting.sentMs < HARDLY_HEARD_MS;
  return { ...greeting, isCut };
}

/** Whether the caller's turn is answered by the first message. A caller who asks the assistant to stop gets a reply. */
export function mustRestartGreeting({ greeting, input, policy }: TurnState): boolean {
  return greeting.isCut && input.keys === '' && !isStop(inputText(input), policy.language);
}

/** The caller's turn is over, and the assistant answers it. */
export function afterCut({ greeting }: TurnState, isRestarted: boolean): Progress {
  return {
    sentMs: isRestarted ? 0 : greeting.sentMs,
    isCut: false,
    hasRestarted: greeting.hasRestarted || isRestarted,
  };
}
