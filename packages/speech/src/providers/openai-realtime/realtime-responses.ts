/**
 * The unfinished responses of a realtime session. Replies belong to the dialogue and come one at a time; texts that are read
 * out do not belong to it, and several are allowed at once.
 */
import type { RealtimePiece, SpeechError, TokenUsage } from '../../ports.ts';
import { statedError } from '../../wire/provider-error.ts';
import { SoundQueue } from '../../wire/sound-queue.ts';
import type { ClientMessage } from './realtime-messages.rules.ts';
import {
  argumentsOf,
  usageOf,
  type RealtimeServerEvent,
  type RealtimeResponse,
} from './realtime-server-events.ts';
import { soundDecoder, type SoundDecoder } from './realtime-sound.ts';

/** One response, from its request to its end. */
export class OpenResponse {
  readonly pieces = new SoundQueue<RealtimePiece>();
  /** Resolves when the provider has completed it, or the session is lost. */
  readonly done: Promise<void>;
  id: string | null = null;
  isUnwanted = false;
  readonly #decoder: SoundDecoder;
  readonly #finish: () => void;
  #lastItem = '';

  /** @param sampleRateHz - of the line */
  constructor(sampleRateHz: number) {
    this.#decoder = soundDecoder(sampleRateHz);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.#finish = resolve;
  }

  sound(item: string, base64: string): void {
    this.#lastItem = item;
    this.#give(this.#decoder.decode(base64));
  }

  end(error: SpeechError | null): void {
    if (error === null) this.#give(this.#decoder.end());
    this.pieces.end(error);
    this.#finish();
  }

  #give(samples: Int16Array): void {
    if (samples.length > 0) this.pieces.push({ type: 'sound', item: this.#lastItem, samples });
  }
}

/** The server events that concern responses. */
type ResponseMessage = Extract<RealtimeServerEvent, { type: `response.${string}` }>;

/** The options of the responses. */
export interface OpenResponsesOptions {
  send: (message: ClientMessage) => void;
  /** Reported also for cancelled responses. */
  onUsage: (usage: TokenUsage) => void;
  apiKey: string | null;
}

/** The open responses, by the key that we gave them. */
export class OpenResponses {
  readonly #open = new Map<string, OpenResponse>();
  readonly #options: OpenResponsesOptions;

  constructor(options: OpenResponsesOptions) {
    this.#options = options;
  }

  add(key: string, response: OpenResponse): void {
    this.#open.set(key, response);
  }

  /** The listener has left: cancels the response if the provider has begun it. */
  leave(response: OpenResponse): void {
    if (response.isUnwanted) return;
    response.isUnwanted = true;
    if (response.id !== null && [...this.#open.values()].includes(response)) this.#cancel(response.id);
  }

  received(event: ResponseMessage): void {
    if (event.type === 'response.created') return this.#created(event.response);
    if (event.type === 'response.done') return this.#done(event.response);
    const response = this.#byId(event.response_id);
    if (!response) return;
    if (event.type === 'response.output_audio.delta') return response.sound(event.item_id, event.delta);
    if (event.type === 'response.output_audio_transcript.delta')
      return response.pieces.push({ type: 'words', item: event.item_id, text: event.delta });
    const { item } = event;
    if ('call_id' in item)
      response.pieces.push({
        type: 'tool-call',
        id: item.call_id,
        name: item.name,
        arguments: argumentsOf(item),
      });
  }

  /** A request was refused. @returns whether it was one of these responses */
  refused(key: string, error: SpeechError): boolean {
    const response = this.#open.get(key);
    if (!response) return false;
    this.#open.delete(key);
    response.end(error);
    return true;
  }

  /** The session is over. */
  end(error: SpeechError): void {
    for (const response of this.#open.values()) response.end(error);
    this.#open.clear();
  }

  /** Servers that do not support metadata create responses in the order in which they were requested. */
  #created({ id, metadata }: RealtimeResponse): void {
    const unborn = [...this.#open.values()].find((response) => response.id === null);
    const response = metadata ? this.#open.get(metadata.key) : unborn;
    if (!response) return;
    response.id = id;
    if (response.isUnwanted) this.#cancel(id);
  }

  #done({ id, status, status_details: details, usage }: RealtimeResponse): void {
    if (usage) this.#options.onUsage(usageOf(usage));
    const found = [...this.#open].find(([, response]) => response.id === id);
    if (!found) return;
    const [key, response] = found;
    this.#open.delete(key);
    const failure = status === 'failed' ? (details?.error?.message ?? 'It gave no reason') : null;
    response.end(failure === null ? null : statedError('unavailable', failure, this.#options.apiKey));
  }

  #byId(id: string): OpenResponse | undefined {
    return [...this.#open.values()].find((response) => response.id === id);
  }

  #cancel(id: string): void {
    this.#options.send({ type: 'response.cancel', response_id: id });
  }
}
