/**
 * What a conversation asks of speech technology. Each provider implements some of these in a folder of its own, passes
 * the conformance suite of the port, and is named in one line of `registry.ts`. Nothing here knows of calls.
 *
 * Sound is mono Int16 PCM throughout; rates are stated. Streams end by `close()` or by their signal, never throw out of
 * a callback, and report failure as a {@link SpeechError}. An aborted iteration ends without an error.
 */

/** The few ways in which a provider fails. The provider's own error stays in `cause`. */
export class SpeechError extends Error {
  readonly kind: 'unavailable' | 'rejected' | 'timed-out';

  constructor(kind: SpeechError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SpeechError';
    this.kind = kind;
  }
}

/** Voice activity detection. One detector serves all calls of a process. */
export interface VoiceActivityDetector {
  /**
   * @param onWindow - called for each analysed window: speech probability 0 to 1, and where that window ends, in
   *   milliseconds of sound pushed so far. Comes later than the push, in order.
   */
  open(onWindow: (probability: number, endMs: number) => void): VoiceActivityStream;
  close(): Promise<void>;
}
/** The sound of one call on its way through the detector. */
export interface VoiceActivityStream {
  /** Samples at 16 000 Hz, any length. */
  push(samples: Int16Array): void;
  close(): void;
}

/**
 * What a recogniser tells. Interims may be wrong, finals stand; an interim is all that is heard since the newest final.
 * The last three come from recognisers that know the end of a turn by its meaning: they carry no words, and the words
 * they are about have come before them (an interim before `eager-end`, a final before `end-of-turn`).
 */
export type RecogniserEvent =
  | { type: 'interim'; text: string }
  /**
   * `endMs`: end of the words in the sound pushed so far. `isOverdue`: it was asked for and nothing came in time, so it is
   * made of what is known; the words may still come.
   */
  | { type: 'final'; text: string; endMs?: number; isOverdue?: true }
  /** Probably the caller is done. `confidence`: 0 to 1. */
  | { type: 'eager-end'; confidence: number }
  /** The caller goes on after an `eager-end`. */
  | { type: 'turn-resumed' }
  /** The caller is done. `confidence`: 0 to 1. */
  | { type: 'end-of-turn'; confidence: number }
  | { type: 'failed'; error: SpeechError };

/** Speech to text. */
export interface Recogniser {
  readonly capabilities: {
    hasInterim: boolean;
    sampleRateHz: number;
    /** How long after the end of speech a final may come in 99 of 100 cases, milliseconds. */
    finalWithinMs: number;
    /**
     * What it knows of the end of a turn. `none`: it answers when asked by `finalise`; `pause`: finals also come by
     * themselves at pauses; `semantic`: it also tells `eager-end`, `turn-resumed` and `end-of-turn`.
     */
    endOfTurn: 'none' | 'pause' | 'semantic';
  };
  open(options: { language: string }, onEvent: (event: RecogniserEvent) => void): RecogniserStream;
}
/** The sound of one call on its way through the recogniser. */
export interface RecogniserStream {
  /** Samples at the rate of `capabilities`. */
  push(samples: Int16Array): void;
  /** Only where it understands nothing else: what may be said next. Counts for what is finalised from now on. */
  expect?(phrases: readonly string[]): void;
  /** The caller has stopped speaking: give a final for what was pushed. */
  finalise(): void;
  close(): void;
}

/** Something the model may do besides talking. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>;
}
/** What was said so far, oldest first. `dtmf` and `silence` stand for a caller who pressed keys or said nothing. */
export type DialogueEntry =
  | { role: 'assistant'; text: string; toolCalls?: { id: string; name: string; arguments: unknown }[] }
  | { role: 'customer'; text: string; kind: 'speech' | 'unrecognised' | 'dtmf' | 'silence' }
  | { role: 'tool'; toolCallId: string; name: string; result: string };
/** All that the model is given for one reply. */
export interface LanguageModelRequest {
  systemPrompt: string;
  dialogue: readonly DialogueEntry[];
  tools: readonly ToolDefinition[];
  temperature: number;
  /** BCP 47 or the two-letter code of the assistant's language. */
  language: string;
}
/** What a provider says that one answer took. Parts that it does not tell apart are left out. */
export interface TokenUsage {
  /** All of them. */
  inputTokens: number;
  /** Those of them that were read from a cache, whatever they stand for. */
  cachedInputTokens?: number;
  /** Those of them that are sound and came from no cache. */
  audioInputTokens?: number;
  /** All of them, with what the model only thought. */
  outputTokens: number;
  /** Those of them that are sound. */
  audioOutputTokens?: number;
}
/** What comes back, piece by piece. */
export type LanguageModelEvent =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name: string; arguments: unknown }
  | ({ type: 'usage' } & TokenUsage);
/** Decides what the assistant says next. */
export interface LanguageModel {
  /** @throws SpeechError while iterating */
  stream(request: LanguageModelRequest, signal: AbortSignal): AsyncIterable<LanguageModelEvent>;
  /**
   * Only where the dialogue was written beforehand: which phrases it waits for now, for recognisers that know no
   * others, and what it has noted of the customer's choices.
   */
  standing?(request: LanguageModelRequest): {
    expects: readonly string[];
    notes: Readonly<Record<string, string>>;
  };
}

/** Text to speech. */
export interface Synthesiser {
  readonly capabilities: {
    /** Rates it can be asked for without resampling on our side. */
    sampleRatesHz: readonly number[];
    settings: readonly ('speed' | 'stability' | 'similarity')[];
  };
  /**
   * Speaks one sentence or clause. Chunks come as they are made.
   *
   * @throws SpeechError while iterating
   */
  speak(text: string, options: SpeakOptions, signal: AbortSignal): AsyncIterable<Int16Array>;
  /**
   * The call is over: lets go of connections, once what is being spoken is done. Absent where nothing is held. Speaking
   * again connects again.
   */
  release?(): void;
}
/** How something is spoken. A setting outside `capabilities.settings` has no effect. */
export interface SpeakOptions {
  /** The provider's own name of the voice. */
  voice: string;
  /** One of the rates of `capabilities`, or any (it is then resampled by the adapter). */
  sampleRateHz: number;
  /** 1 is normal; 0.7 to 1.2. */
  speed: number;
  stability: number;
  similarity: number;
  language: string;
}

/** Speech to speech: one model that hears the caller's voice itself and answers in its own. */
export interface RealtimeModel {
  /** Connects at once. `onEvent` is not called after `close()`. */
  open(options: RealtimeOptions, onEvent: (event: RealtimeEvent) => void): RealtimeSession;
}
/** Fixed for one session. */
export interface RealtimeOptions {
  /** Of all sound, in both directions. */
  sampleRateHz: number;
  systemPrompt: string;
  tools: readonly ToolDefinition[];
  /** Two-letter code. */
  language: string;
  /** 1 is normal; 0.7 to 1.2. */
  speed: number;
  /** What was said before, in a session that broke. */
  history: readonly DialogueEntry[];
}
/** What a session tells of its own accord. After `failed` it tells nothing more. */
export type RealtimeEvent =
  /** The words of a commit; empty where nothing was understood. `endMs`: as it was given with the commit. */
  | { type: 'words'; text: string; endMs: number }
  /** What an answer took, or a text that was read out; also of those that were broken off. */
  | ({ type: 'usage' } & TokenUsage)
  | { type: 'failed'; error: SpeechError };
/** What a reply is made of. Words may run ahead of their sound. `item` names what the model says in one go. */
export type RealtimePiece =
  | { type: 'words'; item: string; text: string }
  | { type: 'sound'; item: string; samples: Int16Array }
  | Extract<LanguageModelEvent, { type: 'tool-call' }>;
/** One call with such a model, which remembers what it heard and said itself. */
export interface RealtimeSession {
  /** The caller's sound. */
  push(samples: Int16Array): void;
  /**
   * The caller has paused: what was pushed since the last commit belongs to the dialogue. Answered by `words`.
   *
   * @param endMs - where that sound ends, on the time line of whoever pushes
   */
  commit(endMs: number): void;
  /** Adds what the model can neither have heard nor said: keys, silence, texts that were read out, results of tools. */
  note(entry: DialogueEntry): void;
  /**
   * Answers the dialogue, with what is committed and noted in the same moment. Aborted, the model stops.
   *
   * @param systemPrompt - for this reply alone; null for that of the session
   * @throws SpeechError while iterating
   */
  reply(systemPrompt: string | null, signal: AbortSignal): AsyncIterable<RealtimePiece>;
  /**
   * Reads a text out, beside the dialogue.
   *
   * @throws SpeechError while iterating
   */
  speak(text: string, signal: AbortSignal): AsyncIterable<Int16Array>;
  /**
   * The caller heard only the beginning of this item; the model forgets the rest, or is told so.
   *
   * @param heardText - the words in that beginning, as far as they are known
   */
  truncate(item: string, heardMs: number, heardText: string): void;
  close(): void;
}
