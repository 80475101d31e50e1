/** Typical states and events of a conversation for tables and properties. */
import { NO_ACTIVITY } from '../src/recognition/caller-activity.rules.ts';
import { NO_INPUT } from '../src/recognition/caller-input.rules.ts';
import { beginWait } from '../src/turn/patience.rules.ts';
import { turnPolicy, type TurnPolicy } from '../src/turn/turn-policy.rules.ts';
import {
  ringingState,
  type AssistantTurn,
  type Awaits,
  type Effect,
  type EventName,
  type Phase,
  type PhaseName,
  type Step,
  type TurnEvent,
  type TurnState,
} from '../src/turn/turn-state.ts';
import { SETTINGS } from './scenario.ts';

/** The instant at which the typical states are looked at; all their deadlines lie later. */
export const NOW_MS = 100_000;
/** The assistant's turn in the typical states. */
export const TURN: AssistantTurn = { number: 7, kind: 'reply', attempt: 1, cause: null };

/** Words are recognised on these calls. */
export const POLICY: TurnPolicy = turnPolicy(SETTINGS, {
  hasInterim: true,
  finalWithinMs: 400,
  endOfTurn: 'none',
  fallbacks: 0,
});

const HANG_UP = { by: 'assistant', reason: 'end_call' } as const;

export const PHASES: { readonly [N in PhaseName]: Extract<Phase, { name: N }> } = {
  ringing: { name: 'ringing' },
  opening: { name: 'opening', sinceMs: NOW_MS },
  waiting: { name: 'waiting' },
  listening: { name: 'listening' },
  ending: { name: 'ending' },
  thinking: { name: 'thinking', turn: TURN, wait: beginWait(NOW_MS - 200, null) },
  speaking: { name: 'speaking', turn: TURN, wait: beginWait(NOW_MS - 20, null), failedStage: null },
  overlapped: {
    name: 'overlapped',
    turn: TURN,
    hasSounded: true,
    wordsDueMs: NOW_MS - 20,
    isHeld: false,
    failedStage: null,
  },
  closing: { name: 'closing', turn: TURN, lastSoundMs: NOW_MS - 20, hangUp: HANG_UP },
  machine: { name: 'machine', sinceMs: NOW_MS - 200 },
  message: { name: 'message', sinceMs: NOW_MS - 200 },
  menu: { name: 'menu', sinceMs: NOW_MS - 200 },
  attended: { name: 'attended' },
  'hung-up': { name: 'hung-up' },
  closed: { name: 'closed' },
};

/** A state of that name. Where the caller has the floor, they have spoken for 300 ms. */
export function stateIn(name: PhaseName, change: Partial<TurnState> = {}): TurnState {
  const hasSpoken = name === 'listening' || name === 'ending' || name === 'overlapped';
  const spoken = { startedMs: NOW_MS - 300, lastSpeechMs: NOW_MS, analysedMs: NOW_MS };
  return {
    ...ringingState(POLICY),
    phase: PHASES[name],
    lastTurn: 7,
    caller: hasSpoken ? { ...NO_ACTIVITY, isSpeaking: name !== 'ending', ...spoken } : NO_ACTIVITY,
    input: hasSpoken ? { ...NO_INPUT, startedMs: NOW_MS - 300, endedMs: NOW_MS, speechMs: 300 } : NO_INPUT,
    quiet: {
      sinceMs: NOW_MS - 1000,
      callerSilentSinceMs: NOW_MS - 1000,
      checkIns: 0,
      hasAskedToWait: false,
      isGreetingDue: false,
      isWrapUpRequested: false,
    },
    ...change,
  };
}

/** One event of each name, as it mostly comes. */
export const EVENTS: { readonly [E in EventName]: Extract<TurnEvent, { type: E }> } = {
  'line.answered': { type: 'line.answered' },
  'line.ticked': { type: 'line.ticked', sentTurn: 7, isFiller: false, awaits: null },
  'line.ended': { type: 'line.ended' },
  'voice.analysed': { type: 'voice.analysed', probability: 0.9, endMs: NOW_MS },
  'words.guessed': { type: 'words.guessed', text: 'I would' },
  'words.recognised': { type: 'words.recognised', text: 'I would like a room.', endMs: null },
  'recogniser.failed': { type: 'recogniser.failed' },
  'turn-end.judged': { type: 'turn-end.judged', confidence: 0.9, isDefinite: false },
  'key.pressed': { type: 'key.pressed', digit: '1' },
  'reply.ended-call': { type: 'reply.ended-call', turn: 7 },
  'reply.failed': { type: 'reply.failed', turn: 7, stage: 'model' },
  'reply.played': { type: 'reply.played', turn: 7, text: 'Good.' },
  'hang-up.requested': { type: 'hang-up.requested', reason: 'hang_up_requested' },
};

/** A frame without sound unless told otherwise. */
export const tick = (sentTurn = 0, awaits: Awaits = null, isFiller = false): TurnEvent => ({
  type: 'line.ticked',
  sentTurn,
  isFiller,
  awaits,
});
/** A window of the detector with a voice in it. */
export const loud: TurnEvent = { type: 'voice.analysed', probability: 0.9, endMs: NOW_MS };
/** A window of the detector without a voice. */
export const quiet: TurnEvent = { type: 'voice.analysed', probability: 0.1, endMs: NOW_MS };
/** A final. */
export const words = (text: string, endMs: number | null = null): TurnEvent => ({
  type: 'words.recognised',
  text,
  endMs,
});
/** One loud window has been heard; the next makes it speech. */
export const aboutToSpeak = {
  ...NO_ACTIVITY,
  analysedMs: NOW_MS - 32,
  loudWindows: 1,
  loudSinceMs: NOW_MS - 64,
};
/** The caller spoke for 300 ms until then. */
export const spokeUntil = (lastSpeechMs: number): TurnState['caller'] => ({
  ...NO_ACTIVITY,
  startedMs: lastSpeechMs - 300,
  lastSpeechMs,
  analysedMs: NOW_MS,
});
/** The turn of the typical states, changed. */
export const inTurn = (change: Partial<AssistantTurn>) => (state: TurnState) =>
  'turn' in state.phase ? { phase: { ...state.phase, turn: { ...TURN, ...change } } } : {};
/** Without a recogniser. */
export const noRecogniser = () => ({ policy: { ...POLICY, recogniser: null } });

/** A step in one line: the phase it leads to, and what is done, in order. */
export function describeStep({ state, effects }: Step): string {
  const done = effects.map(describeEffect);
  return [state.phase.name, ...done].join(' | ');
}

function describeEffect(effect: Effect): string {
  if (effect.type === 'say') {
    const { kind, attempt, number } = effect.turn;
    return `say ${kind}${attempt === 2 ? ' again' : ''} as ${number}`;
  }
  if (effect.type === 'note-caller')
    return `${effect.isAside ? 'note aside' : 'note'} ${effect.utterance.kind}`;
  if (effect.type === 'draft') return `draft ${effect.turn}`;
  if (effect.type === 'fill') return `fill ${effect.kind}`;
  if (effect.type === 'replace-voice') return `replace voice of ${effect.turn}`;
  if (effect.type === 'reopen-recogniser') return `reopen recogniser${effect.isOther ? ' of another' : ''}`;
  if (effect.type === 'abort') return `abort ${effect.turn}`;
  if (effect.type === 'amend-caller') return `amend "${effect.text}"`;
  if (effect.type === 'report-opt-out') return `report opt-out ${effect.means}`;
  if (effect.type === 'report-failure') return `report ${effect.stage}`;
  return effect.type === 'hang-up' ? `hang up: ${effect.hangUp.reason}` : effect.type;
}
