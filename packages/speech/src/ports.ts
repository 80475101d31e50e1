/**
 * The ports through which a conversation uses speech technology. Each provider implements some of them in a folder of its
 * own, passes the conformance suite of the port, and is registered in one line of `registry.ts`.
 *
 * Audio is always mono Int16 PCM; rates are stated. Streams end by `close()` or by their signal, never throw from a
 * callback, and report failures as a {@link SpeechError}. An aborted iteration ends without an error.
 */

/** A failure of a provider. The provider's own error is in `cause`. */
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
   * @param onWindow - called for each analysed window, in order and after the push: the speech probability, 0 to 1, and the
   *   end of the window in milliseconds of audio pushed so far
   */
  open(onWindow: (probability: number, endMs: number) => void): VoiceActivityStream;
  close(): Promise<void>;
}
/** The audio of one call in the detector. */
export interface VoiceActivityStream {
  /** Samples at 16 000 Hz, any length. */
  push(samples: Int16Array): void;
  close(): void;
}

/**
 * What a recogniser reports. Interim results may change, finals do not; an interim contains everything since the newest
 * final. The last three come from recognisers that detect the end of a turn by its meaning. They carry no words; the words
 * were reported before (an interim before `eager-end`, a final before `end-of-turn`).
 */
export type RecogniserEvent =
  | { type: 'interim'; text: string }
  /**
   * `endMs`: end of the words in the audio pushed so far. `isOverdue`: the requested final did not arrive in time, so this
   * one contains the words known so far; further words may still arrive.
   */
  | { type: 'final'; text: string; endMs?: number; isOverdue?: true }
  /** No word has followed the ones reported so far for about a second, whatever else the sound contains. */
  | { type: 'word-gap' }
  /** The caller has probably finished. `confidence`: 0 to 1. */
  | { type: 'eager-end'; confidence: number }
  /** The caller continues after an `eager-end`. */
  | { type: 'turn-resumed' }
  /** The caller has finished. `confidence`: 0 to 1. */
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
     * How it detects the end of a turn. `none`: finals only on `finalise`; `pause`: finals also at pauses; `semantic`: it also
     * reports `eager-end`, `turn-resumed` and `end-of-turn`.
     */
    endOfTurn: 'none' | 'pause' | 'semantic';
  };
  open(options: { language: string }, onEvent: (event: RecogniserEvent) => void): RecogniserStream;
}
/** The audio of one call in the recogniser. */
export interface RecogniserStream {
  /** Samples at the rate of `capabilities`. */
  push(samples: Int16Array): void;
  /** Only for recognisers that can choose among phrases: those of the next `finalise`; none for any words. */
  expect?(phrases: readonly string[]): void;
  /**
   * The caller has stopped speaking: requests a final for the audio so far.
   *
   * @param speechFromMs - where the speech began, milliseconds of the stream's audio, for recognisers of whole utterances
   */
  finalise(speechFromMs?: number): void;
  close(): void;
}

/** Something the model may do besides talking. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>;
}
/** The dialogue so far, oldest first. `dtmf` and `silence` stand for a caller who pressed keys or said nothing. */
export type DialogueEntry =
  | { role: 'assistant'; text: string; toolCalls?: { id: string; name: string; arguments: unknown }[] }
  | { role: 'customer'; text: string; kind: 'speech' | 'unrecognised' | 'dtmf' | 'silence' }
  | { role: 'tool'; toolCallId: string; name: string; result: string };
/** The input of the model for one reply. */
export interface LanguageModelRequest {
  systemPrompt: string;
  dialogue: readonly DialogueEntry[];
  tools: readonly ToolDefinition[];
  temperature: number;
  /** BCP 47 or the two-letter code of the assistant's language. */
  language: string;
}
/** The token usage of one answer, as reported by the provider. Parts that it does not report are left out. */
export interface TokenUsage {
  /** All of them. */
  inputTokens: number;
  /** Those of them that were read from a cache, of any kind. */
  cachedInputTokens?: number;
  /** Those of them that are audio and were not read from a cache. */
  audioInputTokens?: number;
  /** All of them, including reasoning. */
  outputTokens: number;
  /** Those of them that are audio. */
  audioOutputTokens?: number;
}
/** A part of the model's reply. */
export type LanguageModelEvent =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name: string; arguments: unknown }
  | ({ type: 'usage' } & TokenUsage);
/** Decides what the assistant says next. */
export interface LanguageModel {
  /** @throws SpeechError while iterating */
  stream(request: LanguageModelRequest, signal: AbortSignal): AsyncIterable<LanguageModelEvent>;
  /**
   * Only for scripted dialogues: the phrases that it expects now, for recognisers that can choose among phrases, and the customer's
   * choices that it has stored.
   */
  standing?(request: LanguageModelRequest): {
    expects: readonly string[];
    notes: Readonly<Record<string, string>>;
  };
}

/** Text to speech. */
export interface Synthesiser {
  readonly capabilities: {
    /** Rates that it supports without resampling on our side. */
    sampleRatesHz: readonly number[];
    settings: readonly ('speed' | 'stability' | 'similarity')[];
  };
  /**
   * Speaks one sentence or clause. Chunks are delivered as they are synthesised.
   *
   * @throws SpeechError while iterating
   */
  speak(text: string, options: SpeakOptions, signal: AbortSignal): AsyncIterable<Int16Array>;
  /**
   * The call is over: closes connections once current speech is complete. Absent if there are none. Speaking again opens a
   * new connection.
   */
  release?(): void;
}
/** A word of a sound, where it begins and ends; milliseconds since the beginning of that sound. */
export interface TimedWord {
  text: string;
  startMs: number;
  endMs: number;
}
/** The settings of speech. A setting outside `capabilities.settings` has no effect. */
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
  /** The text is the same in other calls, so its sound may be kept for them. */
  isFixed?: boolean;
  /**
   * Called by voices that report word times, for each word in order, at any time while the sound is delivered. The times are
   * those of the samples that `speak` returns.
   */
  onWord?: (word: TimedWord) => void;
}

/** Speech to speech: one model that receives the caller's audio and answers with audio. */
export interface RealtimeModel {
  /** Connects at once. `onEvent` is not called after `close()`. */
  open(options: RealtimeOptions, onEvent: (event: RealtimeEvent) => void): RealtimeSession;
}
/** Fixed for one session. */
export interface RealtimeOptions {
  /** The sample rate of all sound, in both directions. */
  sampleRateHz: number;
  systemPrompt: string;
  tools: readonly ToolDefinition[];
  /** Two-letter code. */
  language: string;
  /** 1 is normal; 0.7 to 1.2. */
  speed: number;
  /** The dialogue of an earlier session that failed. */
  history: readonly DialogueEntry[];
}
/** What a session reports. `failed` is the last event. */
export type RealtimeEvent =
  /** The words of a commit; empty if nothing was recognised. `endMs`: as passed to the commit. */
  | { type: 'words'; text: string; endMs: number }
  /** The usage of an answer or of a text that was read out, even if it was cancelled. */
  | ({ type: 'usage' } & TokenUsage)
  | { type: 'failed'; error: SpeechError };
/** A part of a reply. Words may arrive before their audio. `item` is the id of a part that can be truncated. */
export type RealtimePiece =
  | { type: 'words'; item: string; text: string }
  | { type: 'sound'; item: string; samples: Int16Array }
  | Extract<LanguageModelEvent, { type: 'tool-call' }>;
/** One session with such a model, which stores the dialogue itself. */
export interface RealtimeSession {
  /** The caller's sound. */
  push(samples: Int16Array): void;
  /**
   * The caller has paused: adds the audio since the last commit to the dialogue. Answered by `words`.
   *
   * @param endMs - the end of that audio, on the timeline of the caller of this method
   */
  commit(endMs: number): void;
  /** Adds an entry that is not in the audio: keys, silence, texts that were read out, results of tools. */
  note(entry: DialogueEntry): void;
  /**
   * Answers the dialogue, including what is committed and noted at the same time. On abort, the model stops.
   *
   * @param systemPrompt - for this reply alone; null for that of the session
   * @throws SpeechError while iterating
   */
  reply(systemPrompt: string | null, signal: AbortSignal): AsyncIterable<RealtimePiece>;
  /**
   * Reads a text out without adding it to the dialogue.
   *
   * @throws SpeechError while iterating
   */
  speak(text: string, signal: AbortSignal): AsyncIterable<Int16Array>;
  /**
   * The caller heard only the beginning of this item: the rest is removed from its context, or the model receives a note about it.
   *
   * @param heardText - the words of that beginning, as far as known
   */
  truncate(item: string, heardMs: number, heardText: string): void;
  close(): void;
}
