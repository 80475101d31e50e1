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

/** A problem with its cure. `command` is something to paste into a terminal. */
export interface TalkProblem {
  title: string;
  text: string;
  command?: string;
}

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

/** One turn, as the server reports it: `human` is the person at this screen. */
export type TalkTurn = Omit<Extract<WebCallServerMessage, { type: 'turn' }>, 'type'>;

/** Everything the page shows of a conversation. */
export interface TalkState {
  stage: TalkStage;
  /** The id of the call, once it has been placed. */
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
  | { type: 'turn-taken'; turn: TalkTurn & { sender: 'human' } }
  | { type: 'turn-given'; turn: TalkTurn & { sender: 'bot' } }
  | { type: 'sound-started' }
  | { type: 'sound-stopped' }
  | { type: 'ended' }
  | { type: 'failed'; problem: TalkProblem };

/** The stage after each event. An event that comes too late, or not in turn, stands nowhere and changes nothing. */
const NEXT: Record<TalkEvent['type'], Partial<Record<TalkStage, TalkStage>>> = {
  started: { idle: 'microphone', ended: 'microphone', failed: 'microphone' },
  'microphone-allowed': { microphone: 'connecting' },
  'call-placed': { connecting: 'connecting' },
  connected: { connecting: 'listening' },
  'turn-taken': { listening: 'thinking', thinking: 'thinking', speaking: 'speaking' },
  'turn-given': { listening: 'listening', thinking: 'thinking', speaking: 'speaking' },
  'sound-started': { listening: 'speaking', thinking: 'speaking' },
  'sound-stopped': { speaking: 'listening' },
  ended: {
    microphone: 'ended',
    connecting: 'ended',
    listening: 'ended',
    thinking: 'ended',
    speaking: 'ended',
  },
  failed: {
    microphone: 'failed',
    connecting: 'failed',
    listening: 'failed',
    thinking: 'failed',
    speaking: 'failed',
  },
};

/** The state before anything happened. */
export const idleTalk: TalkState = { stage: 'idle', callId: null, turns: [], problem: null };

/** Whether the person can speak and be heard. */
export function isTalking(stage: TalkStage): boolean {
  return stage === 'listening' || stage === 'thinking' || stage === 'speaking';
}

/** Whether a conversation is being set up or held. */
export function isUnderWay(stage: TalkStage): boolean {
  return NEXT.ended[stage] !== undefined;
}

/** What an event brings along. */
function broughtBy(event: TalkEvent, state: TalkState): Partial<TalkState> {
  if (event.type === 'started') return idleTalk;
  if (event.type === 'call-placed') return { callId: event.callId };
  if (event.type === 'failed') return { problem: event.problem };
  return 'turn' in event ? { turns: [...state.turns, event.turn] } : {};
}

/** The state after an event. */
export function nextTalkState(state: TalkState, event: TalkEvent): TalkState {
  const stage = NEXT[event.type][state.stage];
  return stage ? { ...state, ...broughtBy(event, state), stage } : state;
}
