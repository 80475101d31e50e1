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

/** What a recogniser tells; interims may be wrong, finals stand. */
export type RecogniserEvent =
  | { type: 'interim'; text: string }
  | { type: 'final'; text: string; endMs?: number } // end of the words in the sound pushed so far
  | { type: 'failed'; error: SpeechError };

/** Speech to text. */
export interface Recogniser {
  readonly capabilities: {
    hasInterim: boolean;
    sampleRateHz: number;
    /** How long after the end of speech a final may come in 99 of 100 cases, milliseconds. */
    finalWithinMs: number;
  };
  open(options: { language: string }, onEvent: (event: RecogniserEvent) => void): RecogniserStream;
}
/** The sound of one call on its way through the recogniser. */
export interface RecogniserStream {
  /** Samples at the rate of `capabilities`. */
  push(samples: Int16Array): void;
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
/** What comes back, piece by piece. */
export type LanguageModelEvent =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name: string; arguments: unknown }
  | { type: 'usage'; inputTokens: number; outputTokens: number };
/** Decides what the assistant says next. */
export interface LanguageModel {
  /** @throws SpeechError while iterating */
  stream(request: LanguageModelRequest, signal: AbortSignal): AsyncIterable<LanguageModelEvent>;
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
