/**
 * All types that the turn-taking rules share: states, events and effects. The transitions are in `turn.rules.ts`. Times
 * are milliseconds of call audio, 0 at the answer.
 */
import { NO_ACTIVITY, type CallerActivity } from '../hearing/caller-activity.rules.ts';
import { NO_INPUT, type CallerInput, type CallerUtterance } from '../hearing/caller-input.rules.ts';
import type { Mood } from '../hearing/caller-words.rules.ts';
import type { HearingEvent } from '../hearing/hearing-event.ts';
import type { Quiet } from './quiet.rules.ts';
import type { TurnPolicy } from './turn-policy.rules.ts';

/**
 * Why the assistant speaks. `greeting`, `goodbye` and `apology` are fixed texts; `reply` answers the caller,
 * `check-in` follows a silence, `wrap-up` brings a call to its end that is running out of time.
 */
export type SpeechKind = 'greeting' | 'reply' | 'check-in' | 'wrap-up' | 'goodbye' | 'apology';

/** When the caller had finished, for the latency of the reply. */
export interface TurnCause {
  /** End of the caller's last sound, or the last key. The rules know it as the detector heard it. */
  speechEndMs: number;
  /** When the recogniser's final came; null without one. */
  finalMs: number | null;
  /** When the turn was known to be over. */
  turnEndMs: number;
}

/** One thing the assistant is to say. Its number is never used again; whatever bears an older number is stale. */
export interface AssistantTurn {
  number: number;
  kind: SpeechKind;
  /** 2 when a provider failed at the same thing just before. */
  attempt: 1 | 2;
  cause: TurnCause | null;
}

/** Why and by whom the call is to be ended; becomes the call's `ended_reason`. */
export interface HangUp {
  /** `transfer`: the caller was connected to somebody else, so no goodbye is due. `system`: a defect of our own. */
  by: 'assistant' | 'limit' | 'operator' | 'system' | 'transfer';
  reason: string;
  /** Not the call ends but this conversation: that assistant goes on. */
  nextAssistantId?: number;
}

/** What in the chain from speech to speech failed. */
export type Stage = 'recogniser' | 'model' | 'voice';

/** What a filler is for: it answers the caller's mood, or holds a caller who waits: for a provider, or while a tool works. */
export type FillerKind = Mood | 'hold' | 'work';

/**
 * What the current turn is waiting for; null once all of it has been generated. `caller`: the caller was asked to do
 * something, so no filler bridges the silence.
 */
export type Awaits = 'model' | 'voice' | 'tool' | 'caller' | null;

/** One period in which the caller waits for the assistant to speak. */
export interface Wait {
  /** When the deadline for speech starts: the turn began, its last speech was sent, a tool ended, a provider was replaced. */
  wordsDueMs: number;
  /** Since when the line has been silent: no speech, no filler, no caller. */
  silentSinceMs: number;
  /** When a filler was last requested; null if none was requested in this wait. */
  fillerAskedMs: number | null;
  /** Fillers that were played in it. */
  fillers: number;
}

/** A reply that was generated before the caller's turn was known to be over. */
interface Draft {
  /** The number that the turn gets if the draft is used. */
  turn: number;
  /** The caller's words that it answers. */
  words: string;
}

/** Explained state by state in `turn.rules.ts`. */
export type Phase =
  | { name: 'ringing' }
  | { name: 'waiting' }
  | { name: 'listening' }
  | { name: 'ending' }
  | { name: 'thinking'; turn: AssistantTurn; wait: Wait }
  | { name: 'speaking'; turn: AssistantTurn; wait: Wait; failedStage: Stage | null }
  | { name: 'paused'; turn: AssistantTurn; hasSounded: boolean; failedStage: Stage | null }
  | { name: 'closing'; turn: AssistantTurn; lastSoundMs: number; hangUp: HangUp }
  | { name: 'machine'; sinceMs: number }
  | { name: 'closed' };
/** A state's name. */
export type PhaseName = Phase['name'];
/** The fields of one phase. */
type PhaseOf<N extends PhaseName> = Extract<Phase, { name: N }>;

/** The caller's last turn that was answered, for words that come too late. */
interface TakenInput {
  finals: readonly string[];
  /** What the model was given. */
  text: string;
  /** The recogniser had not given its final yet. */
  owesFinal: boolean;
}

/** Everything the rules remember of a call. */
export interface TurnState<P extends Phase = Phase> {
  readonly policy: TurnPolicy;
  readonly phase: P;
  /** The newest number given to a turn. */
  readonly lastTurn: number;
  readonly caller: CallerActivity;
  readonly input: CallerInput;
  readonly taken: TakenInput | null;
  readonly quiet: Quiet;
  /** Since its last word the recogniser has failed so often. */
  readonly recogniserFailures: number;
  /** Turns of the caller in a row that had to be answered without the recogniser, which had said nothing in time. */
  readonly wordlessTurns: number;
  /** Typical pause of this caller within a turn, milliseconds; null before the first. */
  readonly usualPauseMs: number | null;
  /** How long the latest replies took from the end of the caller's turn to their first word, milliseconds. */
  readonly replyDelaysMs: readonly number[];
  /** The reply being made ahead, behind the gate. */
  readonly draft: Draft | null;
  /** Replies made ahead in this turn of the caller. */
  readonly draftsOfTurn: number;
}
/** A state of which the phase is known. */
export type StateIn<N extends PhaseName> = TurnState<PhaseOf<N>>;

/** What the answering-machine detection reports. `mustHangUp`: the owner wants no message left. */
export type MachineEvent = { type: 'machine.answered'; mustHangUp: boolean } | { type: 'machine.beeped' };

/** What can happen. Its meaning depends on the state. */
export type TurnEvent =
  | { type: 'line.answered' }
  /** 20 ms have passed. `sentTurn`: whose sound was sent, 0 for silence; `awaits`: on whom the current turn waits. */
  | { type: 'line.ticked'; sentTurn: number; isFiller: boolean; awaits: Awaits }
  | { type: 'line.ended' }
  | HearingEvent
  | { type: 'key.pressed'; digit: string }
  /** The model called `end_call`, or handed over. More speech of the same turn may follow. */
  | { type: 'reply.ended-call'; turn: number; nextAssistantId?: number }
  /** Nothing more will be made for this turn; what was made still plays. */
  | { type: 'reply.failed'; turn: number; stage: 'model' | 'voice' }
  /** All that was made, and all that will be, has been sent. Also after `reply.failed`, also for an empty reply. */
  | { type: 'reply.played'; turn: number }
  /** `by`: an operator unless stated. */
  | { type: 'hang-up.requested'; by?: 'system' | 'transfer'; reason: string }
  | MachineEvent;
/** An event's name; those of a machine stand outside the table. */
export type EventName = Exclude<TurnEvent, MachineEvent>['type'];
/** The event of that name. */
export type EventOf<E extends EventName> = Extract<TurnEvent, { type: E }>;

/** What is to be done, in the order given. */
export type Effect =
  /** Make and play a turn, or give away the draft of that number. `mustWrapUp`: tell the model that the call ends soon. */
  | { type: 'say'; turn: AssistantTurn; mustWrapUp: boolean }
  /** Stop making and playing a turn; nothing of it is sent from now on. The line is left unpaused. */
  | { type: 'abort'; turn: number }
  /** Make a turn ahead and give nothing of it away. `utterances`: what the caller will have said. */
  | { type: 'draft'; turn: number; utterances: readonly CallerUtterance[] }
  /** Forget what was made ahead. Without one, nothing. */
  | { type: 'discard-draft' }
  /** Bridge the silence before the turn's next word. Without a clip at hand, nothing. */
  | { type: 'fill'; turn: number; kind: FillerKind }
  /** The voice gives nothing: the words it still owes are said by the next one. */
  | { type: 'replace-voice'; turn: number }
  | { type: 'pause' }
  | { type: 'resume' }
  /** The caller has paused: ask the recogniser for a final. */
  | { type: 'finalise' }
  /** Listen on with a new stream; `isOther`: of the next recogniser, if there is one. */
  | { type: 'reopen-recogniser'; isOther: boolean }
  /** Note a caller's turn. `isAside`: it was no turn, only said while the assistant had the floor. */
  | { type: 'note-caller'; utterance: CallerUtterance; isAside: boolean }
  /** The words of the caller's last turn are known better. */
  | { type: 'amend-caller'; text: string }
  /** A provider failed; for the call's timeline. */
  | { type: 'report-failure'; stage: Stage }
  | { type: 'hang-up'; hangUp: HangUp }
  /** Let go of everything: streams, requests, queued sound. Always the last effect but `hang-up`, exactly once. */
  | { type: 'close' };

/** What a rule answers. */
export interface Step {
  state: TurnState;
  effects: readonly Effect[];
}

/**
 * A conversation before the answer.
 *
 * @param lastTurn - of another conversation in the same call
 */
export function ringingState(policy: TurnPolicy, lastTurn = 0): TurnState {
  return {
    policy,
    phase: { name: 'ringing' },
    lastTurn,
    caller: NO_ACTIVITY,
    input: NO_INPUT,
    taken: null,
    quiet: {
      sinceMs: 0,
      callerSilentSinceMs: 0,
      checkIns: 0,
      isGreetingDue: policy.opening === 'caller' && policy.hasGreeting,
      isWrapUpRequested: false,
    },
    recogniserFailures: 0,
    wordlessTurns: 0,
    usualPauseMs: null,
    replyDelaysMs: [],
    draft: null,
    draftsOfTurn: 0,
  };
}
