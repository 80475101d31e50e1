/**
 * What a conversation is told about its assistant, in our own names; voice derives it from the assistant frozen into
 * the call. Defaults belong to core (docs/decisions), bounds that keep a call safe are applied in `turn-policy.rules.ts`.
 */

/** A tool the assistant was given. Only what stands here can ever run, whatever the model asks for. */
export interface AssistantTool {
  type: 'end_call';
  /** The owner's words on when to use it, appended to ours; null for none. */
  description: string | null;
}

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
  tools: readonly AssistantTool[];
  /** Values for `{{variables}}`; plain data from outside, never evaluated. */
  variables: Readonly<Record<string, unknown>>;
}
