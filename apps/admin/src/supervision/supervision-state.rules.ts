/** What the page shows of a supervised call, after each event of its session. */
import type { SupervisionEvent } from './supervision-session.ts';

/** One turn of the call. */
export interface LiveTurn {
  sender: 'bot' | 'human';
  text: string;
  startMs: number;
}

/** The state of the panel. */
export interface SupervisionState {
  stage: 'idle' | 'connecting' | 'announcing' | 'listening' | 'talking';
  turns: readonly LiveTurn[];
  /** Names of those to whom the call can be transferred. */
  destinations: readonly string[];
  problem: string | null;
}

/** Before the first session. */
export const IDLE: SupervisionState = { stage: 'idle', turns: [], destinations: [], problem: null };

/** `started`: a session begins. */
export type SupervisionChange = SupervisionEvent | { type: 'started' };

/** The next state. Turns of the session before stay: the next session sends them again. */
export function nextSupervision(state: SupervisionState, change: SupervisionChange): SupervisionState {
  if (change.type === 'started') return { ...state, stage: 'connecting', problem: null };
  if (change.type === 'closed') return { ...state, stage: 'idle', problem: change.problem };
  const { message } = change;
  switch (message.type) {
    case 'announcing':
      return { ...state, stage: 'announcing' };
    case 'listening':
    case 'talking':
      return { ...state, stage: message.type, destinations: message.destinations };
    case 'turn':
      return { ...state, turns: withTurn(state.turns, { ...message, startMs: message.start_ms }) };
    case 'ended':
      return state;
  }
}

/** In order of time; a turn that comes again replaces its earlier text. */
function withTurn(turns: readonly LiveTurn[], { sender, text, startMs }: LiveTurn): LiveTurn[] {
  const others = turns.filter((turn) => turn.sender !== sender || turn.startMs !== startMs);
  return [...others, { sender, text, startMs }].toSorted((a, b) => a.startMs - b.startMs);
}
