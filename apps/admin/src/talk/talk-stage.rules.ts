/**
 * The stages of a conversation in the browser.
 *
 * - `idle`: waits for the button.
 * - `microphone`: waits for the person to allow the microphone.
 * - `connecting`: waits for the server to take the call.
 * - `listening`: the assistant is silent; the person may speak.
 * - `thinking`: what the person said has arrived; waits for the assistant's first sound.
 * - `speaking`: the assistant's sound is being played.
 * - `ended`, `failed`: over; only a new start leaves them.
 *
 * No stage has a timer here: the server ends a call that says nothing.
 */
import type { WebCallServerMessage } from '@parley/contracts';
import type { TalkProblem } from './microphone-problem.rules.ts';

/** One of the stages above. */
export type TalkStage =
  | 'idle'
  | 'microphone'
  | 'connecting'
  | 'listening'
  | 'thinking'
  | 'speaking'
  | 'ended'
  | 'failed';

/** Something said, as the server tells it. */
export type TalkTurn = Omit<Extract<WebCallServerMessage, { type: 'turn' }>, 'type'>;

/** Everything the page shows of a conversation. */
export interface TalkState {
  stage: TalkStage;
  /** The call's page, from the moment the server knows the call. */
  callId: number | null;
  turns: readonly TalkTurn[];
  problem: TalkProblem | null;
}

/** What can happen, in the past tense. */
export type TalkEvent =
  | { type: 'started' }
  | { type: 'microphone-allowed' }
  | { type: 'call-placed'; callId: number }
  | { type: 'connected' }
  | { type: 'turn-taken'; turn: TalkTurn }
  | { type: 'sound-started' }
  | { type: 'sound-stopped' }
  | { type: 'ended' }
  | { type: 'failed'; problem: TalkProblem };

/** The state before anything happened. */
export const idleTalk: TalkState = { stage: 'idle', callId: null, turns: [], problem: null };

/** Whether the person can speak and be heard. */
export function isTalking(stage: TalkStage): boolean {
  return stage === 'listening' || stage === 'thinking' || stage === 'speaking';
}

/** Whether a conversation is being set up or held. */
export function isUnderWay(stage: TalkStage): boolean {
  return stage === 'microphone' || stage === 'connecting' || isTalking(stage);
}

function takeTurn(state: TalkState, turn: TalkTurn): TalkState {
  const isWaiting = turn.sender === 'human' && state.stage === 'listening';
  return { ...state, turns: [...state.turns, turn], stage: isWaiting ? 'thinking' : state.stage };
}

/** The next state. An event that comes too late, or not in turn, changes nothing. */
export function nextTalkState(state: TalkState, event: TalkEvent): TalkState {
  const { stage } = state;
  switch (event.type) {
    case 'started':
      return isUnderWay(stage) ? state : { ...idleTalk, stage: 'microphone' };
    case 'microphone-allowed':
      return stage === 'microphone' ? { ...state, stage: 'connecting' } : state;
    case 'call-placed':
      return stage === 'connecting' ? { ...state, callId: event.callId } : state;
    case 'connected':
      return stage === 'connecting' ? { ...state, stage: 'listening' } : state;
    case 'turn-taken':
      return isTalking(stage) ? takeTurn(state, event.turn) : state;
    case 'sound-started':
      return isTalking(stage) ? { ...state, stage: 'speaking' } : state;
    case 'sound-stopped':
      return stage === 'speaking' ? { ...state, stage: 'listening' } : state;
    case 'ended':
      return isUnderWay(stage) ? { ...state, stage: 'ended' } : state;
    case 'failed':
      return isUnderWay(stage) ? { ...state, stage: 'failed', problem: event.problem } : state;
  }
}
