/**
 * The settings of one conversation. Voice derives them from the copy of the assistant that is stored with the call.
 * Defaults belong to core; `turn-policy.rules.ts` applies the limits that keep a call usable.
 */
import type { Mood } from './recognition/caller-words.rules.ts';
import type { AssistantTool } from './tools/assistant-tool.ts';

/** Phrases that fill the pause before a reply, by the mood of what the caller said. */
export type FillerTexts = Readonly<Record<Mood, readonly string[]>>;

/** What follows the first message instead of a conversation: the end of the call, a message of the caller, or a choice by key. */
export type Answering =
  | { type: 'message' }
  | { type: 'voicemail'; maxSeconds: number }
  | { type: 'menu'; choices: readonly { key: string; assistantId: number }[] };

/** All settings of one conversation. They do not change during the call. */
export interface ConversationSettings {
  /** Spoken to its end before anything else; may contain `{{variables}}`; empty for none. */
  disclosureMessage: string;
  /** The first words of the assistant; may contain `{{variables}}`. */
  initialMessage: string;
  /** The owner's prompt for the model; may contain `{{variables}}`. */
  systemPrompt: string;
  /** Null: the assistant talks. Otherwise the first message is spoken to its end before anything else happens. */
  answering: Answering | null;
  whoSpeaksFirst: 'assistant' | 'customer';
  /**
   * In a call that we placed: the longest silence after the answer before the first message, seconds. If the callee speaks
   * first, the message begins when they pause. Null in other conversations, where it begins at once.
   */
  greetingDelaySeconds: number | null;
  /** False: speech over the first message never stops it. */
  isGreetingInterruptible: boolean;
  /** False: speech during playout is recorded but never stops it. Keys always do. */
  allowInterruptions: boolean;
  /** Seconds of caller speech before the assistant yields; at least 0.1. */
  interruptSensitivitySeconds: number;
  /** The minimum of recognised words for an interruption; 0 for none. Applies only if the recogniser sends interim results. */
  minInterruptWords: number;
  /** Seconds of silence after which the caller's turn is over; at least 0.2. */
  endpointSensitivitySeconds: number;
  /** `vad`: by silence alone. `ai`: by what was said as well. */
  endpointType: 'vad' | 'ai';
  /** Fillers; null if the owner disabled them. */
  fillers: FillerTexts | null;
  /** After this much silence on both sides the assistant checks in. */
  reEngagementIntervalSeconds: number;
  /** After this much silence of the caller the assistant says goodbye and hangs up. */
  maxSilenceSeconds: number;
  /** The maximum length of the call from the answer. */
  maxCallSeconds: number;
  /** The temperature of the language model, 0 to 1. */
  temperature: number;
  /** The provider's own name of the voice. */
  voice: string;
  /** 1 is normal; 0.7 to 1.2. */
  speed: number;
  /** 0 to 1. */
  stability: number;
  /** 0 to 1. */
  similarity: number;
  /** BCP 47 or a two-letter code. */
  language: string;
  /** `noise_cancellation`: background voices neither begin a turn nor interrupt. */
  keepsNoiseOut: boolean;
  /** What to do when a machine answers; `ignore` for calls that we did not place. */
  onMachine: 'ignore' | 'hang-up' | 'leave-message';
  /** A request not to be called again is reported and ends the call. */
  hearsOptOut: boolean;
  /** The key by which the caller makes this request; null for none. */
  optOutKey: string | null;
  tools: readonly AssistantTool[];
  /** Values for `{{variables}}`; data from outside that is never evaluated. */
  variables: Readonly<Record<string, unknown>>;
}
