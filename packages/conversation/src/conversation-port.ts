/**
 * The interface of a conversation: its options, events and methods. This is all that voice uses; the implementation is in
 * `conversation.ts`.
 */
import type { EndReason } from '@parley/contracts';
import type { Clock, Log } from '@parley/runtime';
import type {
  DialogueEntry,
  LanguageModel,
  RealtimeModel,
  Recogniser,
  Synthesiser,
  VoiceActivityDetector,
} from '@parley/speech';
import type { AnsweringVerdict } from './answering/answering.rules.ts';
import type { AudioLine } from './audio-line.ts';
import type { CallQuality } from './record/call-quality.ts';
import type { Turn } from './record/call-record.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import type { PhraseRecordings } from './speaking/recorded-phrases.ts';
import type { VoiceChoice } from './speaking/voice-chain.ts';
import type { ToolUse } from './tools/tool-executor.ts';
import type { ToolRunner } from './tools/tool-runner.ts';
import type { HangUp, OptOutMeans, PhaseName, Stage } from './turn/turn-state.ts';

/** Everything that a conversation needs. */
export interface ConversationOptions {
  line: AudioLine;
  clock: Clock;
  vad: VoiceActivityDetector;
  /** Without a recogniser, the conversation detects speech but no words. */
  recogniser?: Recogniser | null | undefined;
  model: LanguageModel;
  synthesiser: Synthesiser;
  /** Replaces recogniser, model and synthesiser, which are then not used. */
  realtime?: RealtimeModel | undefined;
  /** The replacements, in order, when one of these fails. */
  fallbacks?: Partial<Fallbacks> | undefined;
  /** Played instead of the voice where the assistant says what they are recordings of. */
  recordings?: PhraseRecordings | undefined;
  settings: ConversationSettings;
  /** Where the previous conversation of the same call stopped; undefined for the first one. */
  continues?: Continuation | undefined;
  /** Runs the tools of the settings; without a runner they are refused. */
  tools?: ToolRunner | undefined;
  log: Log;
  onEvent: (event: ConversationEvent) => void;
}

/** The state that one conversation passes to the next one of the same call. */
export interface Continuation {
  /** The current time of the call, milliseconds since the answer. */
  atMs: number;
  /** The newest turn number: audio of that turn may still be queued. */
  lastTurn: number;
  /** What was said, for the model, without tool calls: those belong to the assistant that had the tools. */
  dialogue: readonly DialogueEntry[];
}

/** If a list is empty, the first choice is used again. */
export interface Fallbacks {
  recognisers: readonly Recogniser[];
  models: readonly LanguageModel[];
  voices: readonly VoiceChoice[];
}

/** What a conversation reports while it runs. Times are milliseconds since the answer. */
export type ConversationEvent =
  | { type: 'phase'; phase: PhaseName; atMs: number }
  /** A turn is over. Reported again, with the same sender and start, when its text is corrected. */
  | { type: 'turn'; turn: Turn }
  /** For the call's timeline: a provider failed, and the conversation tries again or ends. */
  | { type: 'note'; name: 'provider_failed'; detail: { stage: Stage; at_ms: number } }
  /**
   * The disclosure message was spoken, with the words and the time of its sound. `isComplete` is false if it was cut, for
   * example by the end of the call; it is then spoken again where the call continues.
   */
  | { type: 'disclosed'; text: string; startedAtMs: number; endedAtMs: number; isComplete: boolean }
  /** The caller asked not to be called again. Reported at most once; a hang-up follows. */
  | { type: 'opted-out'; means: OptOutMeans; atMs: number }
  /** The caller has heard to its end that a supervisor listens in. */
  | { type: 'announced' }
  /** Who or what answered, if detection is enabled. A beep changes the verdict to `machine`. */
  | { type: 'answered-by'; verdict: AnsweredBy; atMs: number }
  /** The call must be ended now, followed by a call of `lineEnded`. Reported at most once. */
  | ({ type: 'hang-up' } & HangUp);

/** What answered a call. */
export type AnsweredBy = AnsweringVerdict;

/** How it ended. */
export interface ConversationEnd {
  /** Which of our parts ended it and why; null if the far end hung up or the connection was lost. */
  hangUp: HangUp | null;
  /** From the answer to the end. */
  durationMs: number;
  turns: Turn[];
  /** Replies that were generated before the caller's turn was over, and how many of them were discarded. */
  drafts: { made: number; discarded: number };
  quality: CallQuality;
  /** In the order of their turns. */
  toolUses: readonly ToolUse[];
  /** For the next conversation of the call. */
  continuation: Continuation;
}

/** What a supervisor of the call can do. */
export interface Supervision {
  /** Tells the caller that a supervisor listens in, after the current turn; the event `announced` follows. */
  announce(): void;
  /**
   * An instruction of a supervisor for the model, from the next reply on.
   *
   * @returns false if no reply of a model can follow it: the assistant follows a script, or the conversation is over
   */
  whisper(text: string): boolean;
  /**
   * Silences the assistant while a person talks to the caller in its place, or lets it continue.
   *
   * @returns whether the assistant is silenced: not while the disclosure message is due, nor while the call ends
   */
  attend(isAttended: boolean): boolean;
}

/** One live conversation. */
export interface Conversation {
  /** While the phone rings: synthesises the first message. Resolves when that is done or has failed; never rejects. */
  prepare(): Promise<void>;
  /** The call was answered; audio frames arrive from here on. */
  start(): void;
  /** The caller pressed a key: 0-9 * # A-D. */
  dtmf(digit: string): void;
  /** The far end has put the call on hold, or has resumed it. */
  hold(isHeld: boolean): void;
  readonly supervision: Supervision;
  /** Requests the end of the call; a `hang-up` event by `operator` follows at once. */
  hangUpRequested(reason: EndReason): void;
  /** The connection has ended, whatever the cause. May be called more than once. */
  lineEnded(): void;
  /**
   * Resolves once nothing runs any more: after `lineEnded`, or after a defect of our own, which also requests a hang-up
   * by `system`. Never rejects.
   */
  readonly finished: Promise<ConversationEnd>;
  /** What was heard so far, in order. */
  transcript(): Turn[];
  /** For another conversation that goes on with the call from here; and the tools that were used so far, in order. */
  continuation(): Continuation & Pick<ConversationEnd, 'toolUses'>;
  /** The caller's choices that a script has stored, and the keys that were collected, by name. */
  notes(): Readonly<Record<string, string>>;
}
