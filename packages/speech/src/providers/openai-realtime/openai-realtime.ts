/**
 * OpenAI's realtime models, and servers with the same protocol: one socket for a call. The caller's audio is sent as it
 * arrives and committed at pauses; we request replies and texts to be read out.
 *
 * @see https://developers.openai.com/api/docs/guides/realtime-conversations
 */
import type { Clock } from '@parley/runtime';
import {
  SpeechError,
  type DialogueEntry,
  type RealtimeEvent,
  type RealtimeModel,
  type RealtimeOptions,
  type RealtimePiece,
  type RealtimeSession,
} from '../../ports.ts';
import { socketUrl } from '../../wire/http-request.ts';
import type { PatienceLimits } from '../../wire/patience.ts';
import { takePatiently } from '../../wire/patient-pieces.ts';
import { statedError } from '../../wire/provider-error.ts';
import { ProviderSocket } from '../../wire/provider-socket.ts';
import type { ProviderAccount } from '../provider-account.ts';
import {
  newItems,
  readingOrder,
  replyOrder,
  sessionUpdate,
  type ClientMessage,
} from './realtime-messages.rules.ts';
import { readServerEvent, type ErrorDetail } from './realtime-server-events.ts';
import { OpenResponse, OpenResponses } from './realtime-responses.ts';
import { soundEncoder, type SoundEncoder } from './realtime-sound.ts';

/** The first limit includes the connection. */
const LIMITS: PatienceLimits = { firstMs: 5000, betweenMs: 4000 };
/** The provider refuses shorter commits. */
const SHORTEST_COMMIT_MS = 100;

/** What is needed to open sessions. */
export interface OpenAiRealtimeOptions {
  account: ProviderAccount;
  /** The provider's names. */
  model: string;
  voice: string;
  clock: Clock;
  /** Only tests give other ones. */
  limits?: PatienceLimits;
}

/** @param options - the base URL ends with the version, as for chat */
export function createOpenAiRealtime(options: OpenAiRealtimeOptions): RealtimeModel {
  return { open: (wanted, onEvent) => new OpenAiSession(options, wanted, onEvent) };
}

class OpenAiSession implements RealtimeSession {
  readonly #options: OpenAiRealtimeOptions;
  readonly #sampleRateHz: number;
  readonly #onEvent: (event: RealtimeEvent) => void;
  readonly #socket: ProviderSocket;
  readonly #encoder: SoundEncoder;
  readonly #responses: OpenResponses;
  #orders = 0;
  #lastReply: Promise<void> = Promise.resolve();
  #uncommittedSamples = 0;
  /** End of the audio of each unconfirmed commit, by our event id, milliseconds. */
  readonly #commits = new Map<string, number>();
  /** The same for commits whose words have not arrived, by the provider's item id. */
  readonly #unread = new Map<string, number>();
  #isOver = false;

  constructor(
    options: OpenAiRealtimeOptions,
    wanted: RealtimeOptions,
    onEvent: (event: RealtimeEvent) => void,
  ) {
    const { account, model, voice, clock } = options;
    const { apiKey, baseUrl } = account;
    this.#options = options;
    this.#sampleRateHz = wanted.sampleRateHz;
    this.#onEvent = onEvent;
    this.#encoder = soundEncoder(wanted.sampleRateHz);
    this.#responses = new OpenResponses({
      send: (message) => this.#socket.send(message),
      onUsage: (usage) => this.#tell({ type: 'usage', ...usage }),
      apiKey,
    });
    this.#socket = new ProviderSocket({
      url: socketUrl(baseUrl, '/realtime', { model }),
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      apiKey,
      clock,
      onMessage: (message) => this.#received(message),
      onEnd: (error) => this.#fail(error),
    });
    this.#socket.send(sessionUpdate(wanted, voice));
    for (const entry of wanted.history) this.note(entry);
  }

  push(samples: Int16Array): void {
    this.#uncommittedSamples += samples.length;
    this.#socket.send({ type: 'input_audio_buffer.append', audio: this.#encoder.encode(samples) });
  }

  commit(endMs: number): void {
    const newMs = (this.#uncommittedSamples * 1000) / this.#sampleRateHz;
    if (newMs < SHORTEST_COMMIT_MS) return this.#tellWords('', endMs);
    this.#uncommittedSamples = 0;
    const key = this.#newKey('commit');
    this.#commits.set(key, endMs);
    this.#socket.send({ type: 'input_audio_buffer.commit', event_id: key });
  }

  note(entry: DialogueEntry): void {
    for (const message of newItems(entry)) this.#socket.send(message);
  }

  async *reply(systemPrompt: string | null, signal: AbortSignal): AsyncGenerator<RealtimePiece> {
    const response = new OpenResponse(this.#sampleRateHz);
    const previous = this.#lastReply;
    this.#lastReply = response.done;
    const order = (key: string): ClientMessage => replyOrder(key, systemPrompt);
    yield* this.#listen(response, { after: previous, order }, signal);
  }

  async *speak(text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    const response = new OpenResponse(this.#sampleRateHz);
    const order = (key: string): ClientMessage => readingOrder(key, text);
    for await (const piece of this.#listen(response, { after: Promise.resolve(), order }, signal))
      if (piece.type === 'sound') yield piece.samples;
  }

  truncate(item: string, heardMs: number): void {
    this.#socket.send({
      type: 'conversation.item.truncate',
      item_id: item,
      content_index: 0,
      audio_end_ms: Math.floor(heardMs),
    });
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.close();
    this.#responses.end(statedError('unavailable', 'the call is over'));
  }

  async *#listen(
    response: OpenResponse,
    { after, order }: { after: Promise<void>; order: (key: string) => ClientMessage },
    signal: AbortSignal,
  ): AsyncGenerator<RealtimePiece> {
    const { clock, limits = LIMITS, account } = this.#options;
    after
      .then(() => this.#order(response, order))
      .catch((cause: unknown) =>
        response.end(new SpeechError('unavailable', 'The answer could not be requested', { cause })),
      );
    try {
      yield* takePatiently(response.pieces, { clock, limits, apiKey: account.apiKey, signal });
    } finally {
      this.#responses.leave(response);
    }
  }

  /** A response that is no longer wanted is not requested. */
  #order(response: OpenResponse, order: (key: string) => ClientMessage): void {
    if (response.isUnwanted) return response.end(null);
    if (this.#isOver) return response.end(statedError('unavailable', 'the session is over'));
    const key = this.#newKey('response');
    this.#responses.add(key, response);
    this.#socket.send(order(key));
  }

  #received(message: unknown): void {
    const event = readServerEvent(message);
    if (!event) return;
    switch (event.type) {
      case 'error':
        return this.#refused(event.error);
      case 'input_audio_buffer.committed':
        return this.#committed(event.item_id);
      case 'conversation.item.input_audio_transcription.completed':
        return this.#read(event.item_id, event.transcript);
      case 'conversation.item.input_audio_transcription.failed':
        return this.#read(event.item_id, '');
      case 'response.created':
      case 'response.output_audio.delta':
      case 'response.output_audio_transcript.delta':
      case 'response.output_item.done':
      case 'response.done':
        return this.#responses.received(event);
    }
  }

  /** The provider confirms commits in their order. */
  #committed(item: string): void {
    const [first] = this.#commits;
    if (!first) return;
    this.#commits.delete(first[0]);
    this.#unread.set(item, first[1]);
  }

  #read(item: string, text: string): void {
    const endMs = this.#unread.get(item);
    if (endMs === undefined) return;
    this.#unread.delete(item);
    this.#tellWords(text.trim(), endMs);
  }

  /** An error of one request fails only that request; any other error ends the session. */
  #refused({ event_id: key, type, message }: ErrorDetail): void {
    const error = statedError(
      type === 'invalid_request_error' ? 'rejected' : 'unavailable',
      message,
      this.#options.account.apiKey,
    );
    const endMs = this.#commits.get(key ?? '');
    if (endMs !== undefined) {
      this.#commits.delete(key ?? '');
      return this.#tellWords('', endMs);
    }
    if (this.#responses.refused(key ?? '', error)) return;
    if (key === 'session' || type !== 'invalid_request_error') this.#fail(error);
  }

  #tellWords(text: string, endMs: number): void {
    this.#tell({ type: 'words', text, endMs });
  }

  #tell(event: RealtimeEvent): void {
    if (!this.#isOver) this.#onEvent(event);
  }

  #fail(error: SpeechError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.close();
    this.#responses.end(error);
    this.#onEvent({ type: 'failed', error });
  }

  #newKey(what: string): string {
    this.#orders += 1;
    return `${what}-${this.#orders}`;
  }
}
