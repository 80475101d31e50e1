/**
 * A recogniser behind `audio/transcriptions` of the OpenAI wire protocol. The protocol takes whole files, so each
 * utterance is sent as one WAV file when the caller has stopped speaking; there are no interim results. The file contains
 * the speech and a short margin, because such models invent words in long silences; without speech nothing is sent.
 */
import { WAV_HEADER_BYTES, wavHeader } from '@parley/audio';
import type { Clock } from '@parley/runtime';
import type { Recogniser, RecogniserEvent, RecogniserStream } from '../../ports.ts';
import { post } from '../../wire/http-request.ts';
import { Utterance, UTTERANCE_RATE_HZ } from '../../utterance.ts';
import { Patience, type PatienceLimits } from '../../wire/patience.ts';
import { toSpeechError } from '../../wire/provider-error.ts';
import type { ProviderAccount } from '../provider-account.ts';
import { openAiRequest } from './openai-request.ts';

const LIMITS: PatienceLimits = { firstMs: 10_000, betweenMs: 5000 };
/** Published measurements of hosted models of this kind: 1.7 s in 99 of 100 cases. */
const FINAL_WITHIN_MS = 1700;
/** Only the end of a longer utterance is sent, seconds. */
const LONGEST_SECONDS = 60;
/** Sent before and after the speech. */
const MARGIN_MS = 200;

/** One transcription model of one server. */
export interface TranscriptionRecogniserOptions {
  account: ProviderAccount;
  model: string;
  clock: Clock;
  limits?: PatienceLimits;
}

/** Finals are reported in the order of the utterances, whichever reply arrives first. */
export function createTranscriptionRecogniser(options: TranscriptionRecogniserOptions): Recogniser {
  return {
    capabilities: {
      hasInterim: false,
      sampleRateHz: UTTERANCE_RATE_HZ,
      finalWithinMs: FINAL_WITHIN_MS,
      endOfTurn: 'none',
    },
    open: ({ language }, onEvent) => new TranscriptionStream(options, language, onEvent),
  };
}

class TranscriptionStream implements RecogniserStream {
  readonly #options: TranscriptionRecogniserOptions;
  readonly #language: string;
  readonly #onEvent: (event: RecogniserEvent) => void;
  readonly #closing = new AbortController();
  readonly #utterance = new Utterance({ longestSeconds: LONGEST_SECONDS, marginMs: MARGIN_MS });
  #lastTold: Promise<void> = Promise.resolve();

  constructor(
    options: TranscriptionRecogniserOptions,
    language: string,
    onEvent: (event: RecogniserEvent) => void,
  ) {
    this.#options = options;
    this.#language = language;
    this.#onEvent = onEvent;
  }

  push(samples: Int16Array): void {
    if (!this.#closing.signal.aborted) this.#utterance.push(samples);
  }

  finalise(speechFromMs?: number): void {
    if (this.#closing.signal.aborted) return;
    const { speech, endMs } = this.#utterance.take(speechFromMs);
    const event =
      speech.length === 0
        ? Promise.resolve({ type: 'final', text: '', endMs } as const)
        : this.#ask(wavFile(speech), endMs);
    this.#lastTold = this.#tellAfter(this.#lastTold, event);
  }

  close(): void {
    this.#closing.abort();
    this.#utterance.clear();
  }

  async #tellAfter(earlier: Promise<void>, coming: Promise<RecogniserEvent | null>): Promise<void> {
    const event = await coming;
    await earlier;
    if (event && !this.#closing.signal.aborted) this.#onEvent(event);
  }

  /** Never rejects. @returns null when the stream was closed meanwhile */
  async #ask(file: Blob, endMs: number): Promise<RecogniserEvent | null> {
    const { clock, limits, account, model } = this.#options;
    const patience = new Patience(clock, limits ?? LIMITS, this.#closing.signal);
    try {
      const form = new FormData();
      form.set('file', file, 'utterance.wav');
      form.set('model', model);
      form.set('language', this.#language.slice(0, 2).toLowerCase());
      form.set('response_format', 'json');
      const response = await post(openAiRequest(account, '/audio/transcriptions', form), patience.signal);
      return { type: 'final', text: textOf(await response.json()), endMs };
    } catch (error) {
      const failure = patience.explain(error, (cause) => toSpeechError(cause, account.apiKey));
      return failure && { type: 'failed', error: failure };
    } finally {
      patience.end();
    }
  }
}

/** @throws Error when the reply is not `{ text }` */
function textOf(reply: unknown): string {
  if (typeof reply === 'object' && reply !== null && 'text' in reply && typeof reply.text === 'string')
    return reply.text.trim();
  throw new Error('The reply holds no text');
}

function wavFile(samples: Int16Array): Blob {
  const dataBytes = samples.length * 2;
  const file = new Uint8Array(WAV_HEADER_BYTES + dataBytes);
  file.set(wavHeader({ sampleRateHz: UTTERANCE_RATE_HZ, channelCount: 1, dataBytes }));
  const view = new DataView(file.buffer);
  samples.forEach((sample, index) => view.setInt16(WAV_HEADER_BYTES + index * 2, sample, true));
  return new Blob([file], { type: 'audio/wav' });
}
