/**
 * Google's speech-to-speech models: one session for a call. The caller's audio is sent as it arrives; the end of the caller's
 * turn is sent together with the request for a reply, because the model answers it at once.
 *
 * - **While an answer is generated**, the caller's audio is held back. The provider would treat it as an interruption, but
 *   that is decided by the rules of the conversation.
 * - **An interruption** is the next thing that is sent: audio, or a text to be answered.
 * - **Reading out** uses a separate session, so that the dialogue does not contain it.
 *
 * @see https://ai.google.dev/gemini-api/docs/live-api/capabilities
 */
import { Resampler } from '@parley/audio';
import type { Clock } from '@parley/runtime';
import type {
  DialogueEntry,
  RealtimeEvent,
  RealtimeModel,
  RealtimeOptions,
  RealtimePiece,
  RealtimeSession,
  SpeechError,
} from '../../ports.ts';
import type { PatienceLimits } from '../../wire/patience.ts';
import { takePatiently } from '../../wire/patient-pieces.ts';
import { pcmBase64 } from '../../wire/pcm-base64.ts';
import { statedError } from '../../wire/provider-error.ts';
import type { ProviderAccount } from '../provider-account.ts';
import { CallerWords } from './caller-words.ts';
import { Answers, type Answer } from './gemini-answers.ts';
import { GeminiConnection } from './gemini-connection.ts';
import {
  ACTIVITY_END,
  ACTIVITY_START,
  content,
  contentsOf,
  HEARD_RATE_HZ,
  instructionNote,
  interruptionNote,
  READING_INSTRUCTION,
  setup,
  sound,
  toolNote,
  toolResponse,
  YOUR_TURN,
  type Content,
} from './gemini-messages.rules.ts';
import { usageOf, type GeminiMessage, type ServerContent } from './gemini-server-messages.ts';
import { PendingCalls } from './pending-calls.ts';

/** The first limit includes the connection. */
const LIMITS: PatienceLimits = { firstMs: 5000, betweenMs: 4000 };
/** How much of the caller's audio is held back during an answer: half a minute. */
const HELD_MS = 30_000;

/** What is needed to open sessions. */
export interface GeminiLiveOptions {
  account: ProviderAccount;
  /** Names as used by the provider. */
  model: string;
  voice: string;
  clock: Clock;
  /** Set by tests only. */
  limits?: PatienceLimits;
}

/** @param options - the base URL is that of the provider, without the version */
export function createGeminiLive(options: GeminiLiveOptions): RealtimeModel {
  return { open: (wanted, onEvent) => new GeminiSession(options, wanted, onEvent) };
}

class GeminiSession implements RealtimeSession {
  readonly #options: GeminiLiveOptions;
  readonly #wanted: RealtimeOptions;
  readonly #onEvent: (event: RealtimeEvent) => void;
  readonly #resampler: Resampler;
  readonly #answers: Answers;
  readonly #calls = new PendingCalls();
  readonly #words: CallerWords;
  readonly #readers = new Set<GeminiSession>();
  #connection: GeminiConnection;
  /** The handle with which the session is resumed on another connection; null while resuming would lose data. */
  #handle: string | null = null;
  /** The provider is about to end the connection. */
  #mustMove = false;
  /** The provider receives the caller's speech and waits for its end. */
  #isHearing = false;
  #held: Int16Array[] = [];
  /** Texts for the model that are sent with the next message. */
  #notes: Content[] = [];
  /** It is closed when its answer is over. */
  #isRetired = false;
  #isOver = false;

  constructor(options: GeminiLiveOptions, wanted: RealtimeOptions, onEvent: (event: RealtimeEvent) => void) {
    this.#options = options;
    this.#wanted = wanted;
    this.#onEvent = onEvent;
    this.#resampler = new Resampler(wanted.sampleRateHz, HEARD_RATE_HZ);
    this.#answers = new Answers(wanted.sampleRateHz);
    this.#words = new CallerWords((text, endMs) => this.#report({ type: 'words', text, endMs }));
    this.#connection = this.#connect();
    const history = wanted.history.flatMap(contentsOf);
    if (history.length > 0) this.#connection.send(content(history, true)); // the setup says that it is none to answer
  }

  push(samples: Int16Array): void {
    if (this.#answers.isAwaited) this.#hold(samples);
    else this.#hear(samples);
  }

  commit(endMs: number): void {
    this.#words.commit(endMs);
    if (!this.#isHearing && this.#held.length === 0) this.#words.flush(true);
  }

  note(entry: DialogueEntry): void {
    if (entry.role === 'tool') {
      const { toolCallId: id, name, result } = entry;
      if (this.#calls.settle({ id, name, result })) return;
    }
    this.#notes.push(...contentsOf(entry));
  }

  async *reply(systemPrompt: string | null, signal: AbortSignal): AsyncGenerator<RealtimePiece> {
    if (signal.aborted) return;
    if (this.#isOver) throw statedError('unavailable', 'the session is over');
    const answer = this.#order(systemPrompt);
    const { clock, limits = LIMITS, account } = this.#options;
    try {
      yield* takePatiently(answer.pieces, { clock, limits, apiKey: account.apiKey, signal });
    } finally {
      this.#leave(answer);
    }
  }

  async *speak(text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    if (this.#isOver) throw statedError('unavailable', 'the session is over');
    const reader = this.#openReader();
    reader.note({ role: 'customer', kind: 'speech', text });
    try {
      for await (const piece of reader.reply(null, signal)) if (piece.type === 'sound') yield piece.samples;
    } finally {
      if (reader.#retire()) this.#readers.delete(reader);
    }
  }

  truncate(_item: string, _heardMs: number, heardText: string): void {
    this.#notes.push(interruptionNote(heardText));
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.close();
    for (const reader of this.#readers) reader.close();
    this.#answers.end(statedError('unavailable', 'the call is over'));
  }

  #connect(): GeminiConnection {
    const { account, clock, model, voice } = this.#options;
    const connection: GeminiConnection = new GeminiConnection({
      account,
      clock,
      setup: setup(this.#wanted, { model, voice, handle: this.#handle }),
      onServerMessage: (serverMessage) => this.#received(serverMessage, connection),
      onEnd: (error) => this.#fail(error),
    });
    return connection;
  }

  #openReader(): GeminiSession {
    const reading = { ...this.#wanted, systemPrompt: READING_INSTRUCTION, tools: [], history: [] };
    const reader = new GeminiSession(this.#options, reading, (event) => {
      if (event.type === 'usage') this.#report(event);
    });
    this.#readers.add(reader);
    return reader;
  }

  /** The token usage arrives with the end of the turn. @returns whether there is nothing left to wait for */
  #retire(): boolean {
    this.#isRetired = true;
    if (this.#answers.isEmpty) this.close();
    return this.#isOver;
  }

  #hold(samples: Int16Array): void {
    const most = (HELD_MS * this.#wanted.sampleRateHz) / 1000 / Math.max(1, samples.length);
    if (this.#held.length >= most) this.#held.shift();
    this.#held.push(samples);
  }

  #hear(samples: Int16Array): void {
    if (this.#isOver) return;
    if (!this.#isHearing) this.#beginHearing();
    this.#connection.send(sound(pcmBase64(this.#resampler.process(samples))));
  }

  /** The model stops, also waiting for tools; their results are then passed in words. */
  #beginHearing(): void {
    this.#isHearing = true;
    this.#handle = null;
    this.#giveUpCalls();
    this.#tellNotes();
    this.#connection.send(ACTIVITY_START);
  }

  #giveUpCalls(): void {
    for (const { name, result } of this.#calls.clear()) this.#notes.push(toolNote(name, result));
  }

  #tellNotes(): void {
    const notes = this.#notes.splice(0);
    if (notes.length > 0) this.#connection.send(content(notes, false));
  }

  #order(systemPrompt: string | null): Answer {
    this.#answers.leaveAll();
    this.#release();
    this.#handle = null;
    if (systemPrompt !== null) this.#notes.push(instructionNote(this.#wanted.systemPrompt, systemPrompt));
    if (this.#calls.isSettled) this.#connection.send(toolResponse(this.#calls.clear()));
    else if (this.#isHearing) this.#endHearing();
    else {
      this.#giveUpCalls();
      const notes = this.#notes.splice(0);
      this.#connection.send(content(notes.length > 0 ? notes : [YOUR_TURN], true));
    }
    return this.#answers.begin();
  }

  #endHearing(): void {
    this.#isHearing = false;
    this.#tellNotes();
    this.#connection.send(ACTIVITY_END);
  }

  /** Sends the audio that was held back. */
  #leave(answer: Answer): void {
    answer.isUnwanted = true;
    this.#release();
  }

  #release(): void {
    if (this.#answers.isAwaited) return;
    for (const samples of this.#held.splice(0)) this.#hear(samples);
  }

  #received(serverMessage: GeminiMessage, from: GeminiConnection): void {
    if (this.#isOver || from !== this.#connection) return;
    if (serverMessage.usageMetadata) this.#report({ type: 'usage', ...usageOf(serverMessage.usageMetadata) });
    if (serverMessage.sessionResumptionUpdate) this.#handle = handleOf(serverMessage.sessionResumptionUpdate);
    if (serverMessage.serverContent) this.#heard(serverMessage.serverContent);
    if (serverMessage.toolCall) this.#called(serverMessage.toolCall.functionCalls);
    if (serverMessage.toolCallCancellation) this.#giveUpCalls();
    if (serverMessage.goAway) this.#mustMove = true;
    this.#release();
    if (this.#isRetired && this.#answers.isEmpty) return this.close();
    this.#moveOn();
  }

  #heard(said: ServerContent): void {
    if (said.inputTranscription) this.#words.add(said.inputTranscription.text);
    const hasBegun = this.#answers.received(said);
    const isOver = said.turnComplete === true;
    const isComplete = said.inputTranscription?.finished === true;
    if ((hasBegun || isOver || isComplete) && !this.#isHearing) this.#words.flush(isOver);
  }

  #called(calls: NonNullable<GeminiMessage['toolCall']>['functionCalls']): void {
    this.#words.flush(false);
    this.#calls.add(calls.map(({ id }) => id));
    this.#answers.called(calls);
  }

  /** Resumes the session on another connection, at a moment in which neither side speaks. */
  #moveOn(): void {
    if (!this.#mustMove || this.#isOver) return;
    if (!this.#answers.isEmpty || this.#isHearing || !this.#calls.isEmpty) return;
    if (this.#handle === null) return;
    this.#mustMove = false;
    this.#connection.close();
    this.#connection = this.#connect();
  }

  #report(event: RealtimeEvent): void {
    if (!this.#isOver) this.#onEvent(event);
  }

  #fail(error: SpeechError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.close();
    for (const reader of this.#readers) reader.close();
    this.#answers.end(error);
    this.#onEvent({ type: 'failed', error });
  }
}

/** Null if the provider cannot resume the session at the moment. */
function handleOf({
  newHandle,
  resumable,
}: NonNullable<GeminiMessage['sessionResumptionUpdate']>): string | null {
  return resumable && newHandle ? newHandle : null;
}
