/**
 * What a conversation is told about its assistant, in our own names; voice derives it from the assistant frozen into
 * the call. Defaults belong to core (docs/decisions), bounds that keep a call safe are applied in `turn-policy.rules.ts`.
 */
import type { Mood } from './hearing/caller-words.rules.ts';
import type { KeyCollection } from './tools/key-collection.rules.ts';

/** A tool the assistant was given. Only what stands here can ever run, whatever the model asks for. */
export type AssistantTool =
  /** `description`: the owner's words on when to use it, appended to ours; null for none. */
  | { type: 'end_call'; description: string | null }
  /**
   * Run by the `ToolRunner`. `parameters`: JSON schema of the arguments. Its words may hold `{{variables}}`.
   * `timeLimitMs`: how long it may take, 10 s where nothing is said.
   */
  | {
      type: 'run';
      name: string;
      description: string;
      parameters: Record<string, unknown>;
      timeLimitMs?: number;
    }
  /** Keys are gathered by the conversation itself. `prompt`: said first; null for nothing. */
  | {
      type: 'collect_keys';
      name: string;
      description: string;
      prompt: string | null;
      collection: KeyCollection;
    }
  /**
   * Ends this conversation so that another one goes on. `message`: said where the model has said nothing in that turn;
   * `assistantId`: who takes over.
   */
  | { type: 'hand_over'; name: string; description: string; message: string | null; assistantId: number };

/** What the assistant may say while it thinks, by the mood of what the caller said. */
export type FillerTexts = Readonly<Record<Mood, readonly string[]>>;

/** All settings of one conversation. Nothing in it changes while the call lives. */
export interface ConversationSettings {
  /** First thing the assistant says; may hold `{{variables}}`. */
  initialMessage: string;
  /** What the model is told it is; may hold `{{variables}}`. */
  systemPrompt: string;
  whoSpeaksFirst: 'assistant' | 'customer';
  /** False: speech during playout is noted, but never stops it. Keys always do. */
  allowInterruptions: boolean;
  /** Seconds of caller speech before the assistant yields; at least 0.1. */
  interruptSensitivitySeconds: number;
  /** Recognised words that must come with it; 0 for none. Counted only where a recogniser gives interims. */
  minInterruptWords: number;
  /** Seconds of silence after which the caller's turn is over; at least 0.2. */
  endpointSensitivitySeconds: number;
  /** `vad`: by silence alone. `ai`: by what was said as well. */
  endpointType: 'vad' | 'ai';
  /** Said while the assistant thinks; null when the owner wants none. */
  fillers: FillerTexts | null;
  /** Both silent for so long: the assistant checks in. */
  reEngagementIntervalSeconds: number;
  /** The caller silent for so long: goodbye. */
  maxSilenceSeconds: number;
  /** From the answer to the hard end. */
  maxCallSeconds: number;
  /** Of the language model, 0 to 1. */
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
  /** `noise_cancellation`: voices behind the caller begin no turn and interrupt nobody. */
  keepsNoiseOut: boolean;
  /** What to do when a machine answers; `ignore` where nobody was called. */
  onMachine: 'ignore' | 'hang-up' | 'leave-message';
  tools: readonly AssistantTool[];
  /** Values for `{{variables}}`; plain data from outside, never evaluated. */
  variables: Readonly<Record<string, unknown>>;
}
