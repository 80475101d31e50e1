/**
 * A recogniser behind `audio/transcriptions` of the OpenAI wire protocol. The protocol takes whole files, so each
 * utterance is sent as one WAV file when the caller has stopped speaking; there are no interim results. The owner of the
 * stream decides what an utterance is: it should contain the speech and a short lead, because such models invent words for
 * long silences.
 */
import { WAV_HEADER_BYTES, wavHeader } from '@parley/audio';
import type { Clock } from '@parley/runtime';
import type { Recogniser, RecogniserEvent, RecogniserStream } from '../../ports.ts';
import { post } from '../../wire/http-request.ts';
import { Patience, type PatienceLimits } from '../../wire/patience.ts';
import { toSpeechError } from '../../wire/provider-error.ts';
import type { ProviderAccount } from '../provider-account.ts';
import { openAiRequest } from './openai-request.ts';

const SAMPLE_RATE_HZ = 16_000;
const LIMITS: PatienceLimits = { firstMs: 10_000, betweenMs: 5000 };
/** Published measurements of hosted models of this kind: 1.7 s in 99 of 100 cases. */
const FINAL_WITHIN_MS = 1700;
/** Only the end of a longer utterance is sent, seconds. */
const LONGEST_SECONDS = 60;

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
      sampleRateHz: SAMPLE_RATE_HZ,
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
  #utterance: Int16Array[] = [];
  #utteranceSamples = 0;
  #pushedSamples = 0;
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
    if (this.#closing.signal.aborted || samples.length === 0) return;
    this.#utterance.push(samples.slice());
    this.#utteranceSamples += samples.length;
    this.#pushedSamples += samples.length;
    const limit = LONGEST_SECONDS * SAMPLE_RATE_HZ;
    while (this.#utteranceSamples - (this.#utterance[0]?.length ?? 0) > limit)
      this.#utteranceSamples -= this.#utterance.shift()?.length ?? 0;
  }

  finalise(): void {
    if (this.#closing.signal.aborted) return;
    const file = wavFile(this.#utterance, this.#utteranceSamples);
    const isEmpty = this.#utteranceSamples === 0;
    const endMs = (this.#pushedSamples * 1000) / SAMPLE_RATE_HZ;
    this.#utterance = [];
    this.#utteranceSamples = 0;
    const event = isEmpty
      ? Promise.resolve({ type: 'final', text: '', endMs } as const)
      : this.#ask(file, endMs);
    this.#lastTold = this.#tellAfter(this.#lastTold, event);
  }

  close(): void {
    this.#closing.abort();
    this.#utterance = [];
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

function wavFile(pieces: readonly Int16Array[], sampleCount: number): Blob {
  const dataBytes = sampleCount * 2;
  const file = new Uint8Array(WAV_HEADER_BYTES + dataBytes);
  file.set(wavHeader({ sampleRateHz: SAMPLE_RATE_HZ, channelCount: 1, dataBytes }));
  const view = new DataView(file.buffer);
  let at = WAV_HEADER_BYTES;
  for (const piece of pieces) {
    for (let i = 0; i < piece.length; i++, at += 2) view.setInt16(at, piece[i] ?? 0, true);
  }
  return new Blob([file], { type: 'audio/wav' });
}
