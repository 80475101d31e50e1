/**
 * What a conversation is given, what it tells, and what may be asked of it. Voice sees this much and no more; how it is
 * held stands in `conversation.ts`.
 */
import type { Clock, Log } from '@parley/runtime';
import type {
  DialogueEntry,
  LanguageModel,
  RealtimeModel,
  Recogniser,
  Synthesiser,
  VoiceActivityDetector,
} from '@parley/speech';
import type { AnsweringState } from './answering/answering.rules.ts';
import type { AudioLine } from './audio-line.ts';
import type { Turn } from './call-record.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import type { VoiceChoice } from './speaking/voice-chain.ts';
import type { ToolUse } from './tools/tool-executor.ts';
import type { ToolRunner } from './tools/tool-runner.ts';
import type { HangUp, PhaseName, Stage } from './turn/turn-state.ts';

/** What voice hands over. */
export interface ConversationOptions {
  line: AudioLine;
  clock: Clock;
  vad: VoiceActivityDetector;
  /** Without one, speech is known to have happened but not what was said. */
  recogniser?: Recogniser | null | undefined;
  model: LanguageModel;
  synthesiser: Synthesiser;
  /** Hears, thinks and speaks in place of recogniser, model and synthesiser, none of which is then asked. */
  realtime?: RealtimeModel | undefined;
  /** Who takes over, in order, when one of these fails. */
  fallbacks?: Partial<Fallbacks> | undefined;
  settings: ConversationSettings;
  /** Where another conversation of the same call stopped; undefined for the first one. */
  continues?: Continuation | undefined;
  /** Runs the tools of the settings; without one they are refused. */
  tools?: ToolRunner | undefined;
  log: Log;
  onEvent: (event: ConversationEvent) => void;
}

/** What one conversation hands over to the next. */
export interface Continuation {
  /** Now on the call's time line, milliseconds since the answer. */
  atMs: number;
  /** The newest number of a turn: sound of that turn may still be under way. */
  lastTurn: number;
  /** What was said, for the model. Tools stay behind: they belong to the assistant that had them. */
  dialogue: readonly DialogueEntry[];
}

/** Each list may be empty: the first choice is then asked again. */
export interface Fallbacks {
  recognisers: readonly Recogniser[];
  models: readonly LanguageModel[];
  voices: readonly VoiceChoice[];
}

/** What a conversation tells as it goes. Times are milliseconds since the answer. */
export type ConversationEvent =
  | { type: 'phase'; phase: PhaseName; atMs: number }
  /** A turn is over. Comes again, with the same sender and start, when its text is known better. */
  | { type: 'turn'; turn: Turn }
  /** For the call's timeline: a provider failed, and the conversation tries again or ends itself. */
  | { type: 'note'; name: 'provider_failed'; detail: { stage: Stage; at_ms: number } }
  /** Who has answered, where that is asked. A person can turn out to be a machine. */
  | { type: 'answered-by'; verdict: AnsweredBy; atMs: number }
  /** The call is to be ended now. `lineEnded` is expected in return. At most once. */
  | ({ type: 'hang-up' } & HangUp);

/** Who answers a call. */
export type AnsweredBy = NonNullable<AnsweringState['verdict']>;

/** How it ended. */
export interface ConversationEnd {
  /** Who on our side ended it and why; null when the far end or the line did. */
  hangUp: HangUp | null;
  /** From the answer to the end. */
  durationMs: number;
  turns: Turn[];
  /** Replies made ahead of the end of the caller's turn, and those of them that nobody heard. */
  drafts: { made: number; discarded: number };
  /** In the order of their turns. */
  toolUses: readonly ToolUse[];
  /** For whoever goes on with the call. */
  continuation: Continuation;
}

/** One live conversation. */
export interface Conversation {
  /** While it rings: makes the first message. Need not be awaited. Resolves when made or failed, never rejects. */
  prepare(): Promise<void>;
  /** The call was answered; the line ticks from here on. */
  start(): void;
  /** The caller pressed a key: 0-9 * # A-D. */
  dtmf(digit: string): void;
  /** Somebody else wants the call to end; a `hang-up` event by `operator` follows at once. */
  hangUpRequested(reason: string): void;
  /** The line is gone, whoever ended it. Harmless when repeated. */
  lineEnded(): void;
  /**
   * Resolves once nothing runs any more: after `lineEnded`, or after a defect of our own, which also requests a hang-up
   * by `system`. Never rejects.
   */
  readonly finished: Promise<ConversationEnd>;
  /** What was heard so far, in order. */
  transcript(): Turn[];
  /** What the dialogue has noted of the caller's choices, and the keys that were kept, by name. */
  notes(): Readonly<Record<string, string>>;
}
