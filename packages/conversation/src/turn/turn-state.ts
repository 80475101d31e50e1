/**
 * All types that the turn-taking rules share: states, events and effects. The transitions are in `turn.rules.ts`. Times
 * are milliseconds of call audio, 0 at the answer.
 */
import type { EndReason } from '@parley/contracts';
import type { Asked } from '../recognition/asked.rules.ts';
import { NO_ACTIVITY, type CallerActivity } from '../recognition/caller-activity.rules.ts';
import { NO_INPUT, type CallerInput, type CallerUtterance } from '../recognition/caller-input.rules.ts';
import type { Mood } from '../recognition/caller-words.rules.ts';
import type { RecognitionEvent } from '../recognition/recognition-event.ts';
import type { Quiet } from './quiet.rules.ts';
import type { TurnPolicy } from './turn-policy.rules.ts';

/**
 * Why the assistant speaks. `disclosure` precedes everything else. It, `greeting`, `goodbye`, `apology` and `acknowledgement`, which answers a request not to be called
 * again, and `announcement`, which says that a supervisor listens in, are fixed texts; `reply` answers the caller, `check-in` follows a silence, `wrap-up` brings a call to its end that is running out of time.
 */
export type SpeechKind =
  | 'disclosure'
  | 'greeting'
  | 'reply'
  | 'check-in'
  | 'wrap-up'
  | 'goodbye'
  | 'apology'
  | 'acknowledgement'
  | 'announcement';

/** How the caller asked not to be called again. */
export type OptOutMeans = 'said' | 'pressed';

/** When the caller finished, for the latency of the reply. */
export interface TurnCause {
  /** End of the caller's last audio, or the last key. The rules use the time that the detector reports. */
  speechEndMs: number;
  /** When the recogniser's final came; null without one. */
  finalMs: number | null;
  /** When the turn was known to be over. */
  turnEndMs: number;
}

/** One turn of the assistant. Numbers are never reused; events with an older number are ignored. */
export interface AssistantTurn {
  number: number;
  kind: SpeechKind;
  /** 2 if a provider has just failed at the same turn. */
  attempt: 1 | 2;
  cause: TurnCause | null;
}

/** Why the call must end and which part requested it; becomes the call's `ended_reason`. */
export interface HangUp {
  /** `transfer`: the caller was connected to another person, so no goodbye is due. `system`: a defect of our own. */
  by: 'assistant' | 'limit' | 'operator' | 'system' | 'transfer';
  reason: EndReason;
  /** The call continues with this assistant; only the conversation ends. */
  nextAssistantId?: number;
}

/** Which stage of the speech pipeline failed. */
export type Stage = 'recogniser' | 'model' | 'voice';

/** The purpose of a filler: it responds to the caller's mood, or bridges a wait for a provider or for a tool. */
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
  | { name: 'opening'; sinceMs: number }
  | { name: 'waiting' }
  | { name: 'listening' }
  | { name: 'ending' }
  | { name: 'thinking'; turn: AssistantTurn; wait: Wait }
  | { name: 'speaking'; turn: AssistantTurn; wait: Wait; failedStage: Stage | null }
  | {
      name: 'overlapped';
      turn: AssistantTurn;
      hasSounded: boolean;
      /** As in {@link Wait}. */
      wordsDueMs: number;
      /** Playout is paused; otherwise its level is lowered. */
      isHeld: boolean;
      failedStage: Stage | null;
    }
  | { name: 'closing'; turn: AssistantTurn; lastSoundMs: number; hangUp: HangUp }
  | { name: 'machine'; sinceMs: number }
  | { name: 'message'; sinceMs: number }
  | { name: 'menu'; sinceMs: number }
  | { name: 'attended' }
  | { name: 'hung-up' }
  | { name: 'closed' };
/** A state's name. */
export type PhaseName = Phase['name'];
/** The fields of one phase. */
type PhaseOf<N extends PhaseName> = Extract<Phase, { name: N }>;

/** The caller's last turn that was answered, needed for words that arrive late. */
interface TakenInput {
  finals: readonly string[];
  /** What the model was given. */
  text: string;
  /** The recogniser has not sent its final yet. */
  owesFinal: boolean;
}

/** How far the first message has got. */
interface GreetingProgress {
  /** The audio of the turn that was sent, milliseconds. */
  sentMs: number;
  /** It was cut in its first second and is said again when the caller's turn is over. */
  isCut: boolean;
  /** It was said again. This happens once. */
  hasRestarted: boolean;
}

/** A caller who speaks over the goodbye of `end_call`, or of a silence, is heard, once in a conversation. */
interface SecondHearing {
  /** How the call ends if the caller has said nothing that needs an answer; null while no such speech is open. */
  hangUp: HangUp | null;
  /** The caller was heard once more. */
  isUsed: boolean;
}

/** The last words before the hang-up. */
export interface Closing {
  kind: 'goodbye' | 'apology' | 'greeting' | 'acknowledgement';
  hangUp: HangUp;
}

/** Whether the disclosure message must still be spoken. See `disclosure.rules.ts`. */
interface DisclosureProgress {
  isDue: boolean;
  /** The last words that follow it; null if the conversation follows. */
  closing: Closing | null;
}

/** The complete state of the turn-taking rules. */
export interface TurnState<P extends Phase = Phase> {
  readonly policy: TurnPolicy;
  readonly phase: P;
  /** The newest number given to a turn. */
  readonly lastTurn: number;
  readonly caller: CallerActivity;
  readonly input: CallerInput;
  readonly taken: TakenInput | null;
  /**
   * What the recogniser has guessed of speech that is no part of the open turn, and has sent no final of: its next results
   * begin with these words. Otherwise empty.
   */
  readonly staleGuess: string;
  /** Speech that was set aside before its words came; null if there is none, or if its words have come. */
  readonly wordlessAside: { startedMs: number; endedMs: number } | null;
  /** When the first word of the assistant's newest turn was sent; 0 before that. */
  readonly soundedMs: number;
  /** When the assistant last finished a turn, and whether it ended with a question; null before that. */
  readonly assistantEnd: { atMs: number; hasAsked: boolean } | null;
  /** What the assistant has asked for and the caller dictates; null for anything else. */
  readonly asked: Asked | null;
  readonly quiet: Quiet;
  readonly disclosure: DisclosureProgress;
  readonly greeting: GreetingProgress;
  readonly secondHearing: SecondHearing;
  /** Failures of the recogniser since its last words. */
  readonly recogniserFailures: number;
  /** Consecutive turns of the caller for which the recogniser reported nothing in time. */
  readonly wordlessTurns: number;
  /** Typical pause of this caller within a turn, milliseconds; null before the first. */
  readonly usualPauseMs: number | null;
  /** Delays of the latest replies from the end of the caller's turn to their first word, milliseconds. */
  readonly replyDelaysMs: readonly number[];
  /** The current draft. */
  readonly draft: Draft | null;
  /** Drafts generated in this turn of the caller. */
  readonly draftsOfTurn: number;
  /** Replies of this call, and drafts that were discarded. */
  readonly replies: { answered: number; discarded: number };
  /** Since when the far end has the call on hold; null if it does not. */
  readonly heldSinceMs: number | null;
  /** The caller has asked not to be called again. This is reported once. */
  readonly hasOptedOut: boolean;
  /** The caller has not heard yet that a supervisor listens in. */
  readonly isAnnouncementDue: boolean;
}
/** A state in the given phase. */
export type StateIn<N extends PhaseName> = TurnState<PhaseOf<N>>;

/** What the answering-machine detection reports. `mustHangUp`: voicemail messages are disabled. */
export type MachineEvent = { type: 'machine.answered'; mustHangUp: boolean } | { type: 'machine.beeped' };

/** The far end has put the call on hold, or has resumed it. */
type HoldEvent = { type: 'line.held'; isHeld: boolean };

/**
 * What a supervisor does. `announcement.requested`: a supervisor asks to listen in, and the caller must be told;
 * `line.attended`: a person talks in place of the assistant, or has given the call back; `whispered`: the prompt has changed.
 */
export type SupervisorEvent =
  | { type: 'announcement.requested' }
  | { type: 'line.attended'; isAttended: boolean }
  | { type: 'whispered' };

/** What can happen. Its meaning depends on the state. */
export type TurnEvent =
  | { type: 'line.answered' }
  /** 20 ms have passed. `sentTurn`: the turn whose audio was sent, 0 for silence; `awaits`: see {@link Awaits}. */
  | { type: 'line.ticked'; sentTurn: number; isFiller: boolean; awaits: Awaits }
  | { type: 'line.ended' }
  | HoldEvent
  | SupervisorEvent
  | RecognitionEvent
  | { type: 'key.pressed'; digit: string }
  /** The model called `end_call` or a transfer to another assistant. More speech of the same turn may follow. */
  | { type: 'reply.ended-call'; turn: number; nextAssistantId?: number }
  /** Nothing more will be generated for this turn; queued audio still plays. */
  | { type: 'reply.failed'; turn: number; stage: 'model' | 'voice' }
  /**
   * The complete turn has been sent, with the given text. Also reported after `reply.failed` and for an empty reply.
   */
  | { type: 'reply.played'; turn: number; text: string }
  /** `by`: an operator unless stated. */
  | { type: 'hang-up.requested'; by?: 'system' | 'transfer'; reason: EndReason }
  | MachineEvent;
/** The name of an event in the state table; the other events are handled before it, the same in every state. */
export type EventName = Exclude<
  TurnEvent,
  MachineEvent | HoldEvent | SupervisorEvent | { type: 'words.ended' }
>['type'];
/** The event of that name. */
export type EventOf<E extends EventName> = Extract<TurnEvent, { type: E }>;

/** An action that a rule requests; executed in the order given. */
export type Effect =
  /** Generate and play a turn, or play the draft of that number. `mustWrapUp`: tell the model that the call ends soon. */
  | { type: 'say'; turn: AssistantTurn; mustWrapUp: boolean }
  /** Stop generating and playing a turn; nothing of it is sent from now on. Includes `resume`. */
  | { type: 'abort'; turn: number }
  /** Generate a draft. `utterances`: what the caller has said in the turn so far. */
  | { type: 'draft'; turn: number; utterances: readonly CallerUtterance[] }
  /** Discard the draft, if there is one. */
  | { type: 'discard-draft' }
  /** Play a filler before the turn's next word, if one is available. */
  | { type: 'fill'; turn: number; kind: FillerKind }
  /** The voice delivers nothing: the next voice speaks the words that are missing. */
  | { type: 'replace-voice'; turn: number }
  | { type: 'pause' }
  /** Play at a lower level, because the caller speaks. */
  | { type: 'lower' }
  /** End a pause and a lowered level. */
  | { type: 'resume' }
  /** The caller has paused: ask the recogniser for a final of the speech since then, milliseconds of the call. */
  | { type: 'finalise'; speechFromMs: number }
  /** Open a new recogniser stream; `isOther`: of the next recogniser, if there is one. */
  | { type: 'reopen-recogniser'; isOther: boolean }
  /** Record what the caller said. `isAside`: it was said while the assistant kept speaking and is no turn. */
  | { type: 'note-caller'; utterance: CallerUtterance; isAside: boolean }
  /** Correct the words of the caller's last turn. */
  | { type: 'amend-caller'; text: string }
  /** Report a failed provider on the call's timeline. */
  | { type: 'report-failure'; stage: Stage }
  /** Report that the caller asked not to be called again. */
  | { type: 'report-opt-out'; means: OptOutMeans }
  /** Play the tone after which the caller's message is recorded. */
  | { type: 'beep'; turn: number }
  /** Report that the caller has heard the announcement to its end. */
  | { type: 'report-announced' }
  | { type: 'hang-up'; hangUp: HangUp }
  /** Release everything: streams, requests, queued audio. Exactly once, after all other effects except `hang-up`. */
  | { type: 'close' };

/** The result of a rule. */
export interface Step {
  state: TurnState;
  effects: readonly Effect[];
}

/**
 * The state before the call is answered.
 *
 * @param lastTurn - the last turn number of the previous conversation in the same call
 */
export function ringingState(policy: TurnPolicy, lastTurn = 0): TurnState {
  return {
    policy,
    phase: { name: 'ringing' },
    lastTurn,
    caller: NO_ACTIVITY,
    input: NO_INPUT,
    taken: null,
    staleGuess: '',
    wordlessAside: null,
    soundedMs: 0,
    assistantEnd: null,
    asked: null,
    quiet: {
      sinceMs: 0,
      callerSilentSinceMs: 0,
      checkIns: 0,
      hasAskedToWait: false,
      isGreetingDue: policy.opening === 'caller' && policy.hasGreeting,
      isWrapUpRequested: false,
    },
    disclosure: { isDue: policy.hasDisclosure, closing: null },
    greeting: { sentMs: 0, isCut: false, hasRestarted: false },
    secondHearing: { hangUp: null, isUsed: false },
    recogniserFailures: 0,
    wordlessTurns: 0,
    usualPauseMs: null,
    replyDelaysMs: [],
    draft: null,
    draftsOfTurn: 0,
    replies: { answered: 0, discarded: 0 },
    heldSinceMs: null,
    hasOptedOut: false,
    isAnnouncementDue: false,
  };
}
