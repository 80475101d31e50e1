/**
 * A recogniser behind a WebSocket, for any provider: audio is sent in pieces of the required size, each request for a final
 * is answered exactly once, and the socket stays open during silence. A {@link RecogniserProtocol} contains what differs
 * between providers.
 */
import type { Clock, Timer } from '@parley/runtime';
import type { RecogniserEvent, RecogniserStream, SpeechError } from '../ports.ts';
import { ProviderSocket } from './provider-socket.ts';
import { TurnWords } from './turn-words.ts';

/** How long a requested final may take, milliseconds. After that the words so far are used. */
const ANSWER_LIMIT_MS = 1500;
/** The interval of keep-alive messages without audio, milliseconds; providers close the socket after 10 s. */
const KEEP_ALIVE_EVERY_MS = 4000;

/** All words of the current turn, from a provider that detects turns. */
interface TurnText {
  type: 'turn';
  text: string;
  /** How much sound the text covers, milliseconds; absent where the provider does not say. */
  heardMs?: number;
  /** The provider's confidence that the turn might end in this pause. */
  eagerEnd?: number;
  /** The provider's confidence that it ends here; the next text is another turn's. */
  endOfTurn?: number;
}
/** The meaning of a message. An `answer` is a final that answers a request, even without words. */
export type Told =
  | Exclude<RecogniserEvent, { type: 'failed' | 'eager-end' | 'end-of-turn' }>
  | { type: 'answer'; text: string; endMs?: number }
  /** There are no words in the sound so far, and the provider follows it. */
  | { type: 'no-words' }
  | TurnText
  | { type: 'error'; error: SpeechError };

/** The protocol of one provider, for one stream; it may keep state. */
export interface RecogniserProtocol {
  url: string;
  headers: Record<string, string>;
  apiKey: string | null;
  sampleRateHz: number;
  /** The length of sound sent at once, milliseconds; a message never holds less. */
  pieceMs: number;
  /** Requests a final; absent if that would end a turn whose end the provider should detect itself. */
  finalise?: Record<string, unknown>;
  /** Ends the session, so that it is not billed any longer. */
  farewell: Record<string, unknown>;
  /** Sent while there is no audio; absent if the provider needs no keep-alive. */
  keepAlive?: Record<string, unknown>;
  /** Unknown messages are ignored. */
  read(message: unknown): readonly Told[];
}

interface Asked {
  /** Where the sound asked about ends, milliseconds. */
  endMs: number;
  /** How much of it the provider has been sent. */
  sentMs: number;
  /** False: no audio was pushed since the previous request, so there can be no answer. */
  hasSound: boolean;
  /** The provider has sent other messages since: it is alive, and there may be no words. */
  isAlive: boolean;
  timer: Timer;
}

/** Connects at once; sound pushed before the socket is open is not lost. */
export class SocketRecogniserStream implements RecogniserStream {
  readonly #protocol: RecogniserProtocol;
  readonly #clock: Clock;
  readonly #onEvent: (event: RecogniserEvent) => void;
  readonly #socket: ProviderSocket;
  readonly #piece: Uint8Array;
  readonly #asked: Asked[] = [];
  readonly #words = new TurnWords();
  #pieceBytes = 0;
  #sentPieces = 0;
  #pushedSamples = 0;
  #askedSamples = 0;
  #sentAny = false;
  #keepAliveTimer: Timer | null = null;
  #isOver = false;

  constructor(protocol: RecogniserProtocol, clock: Clock, onEvent: (event: RecogniserEvent) => void) {
    this.#protocol = protocol;
    this.#clock = clock;
    this.#onEvent = onEvent;
    this.#piece = new Uint8Array((protocol.pieceMs * protocol.sampleRateHz * 2) / 1000);
    this.#socket = new ProviderSocket({
      url: protocol.url,
      headers: protocol.headers,
      apiKey: protocol.apiKey,
      clock,
      onMessage: (message) => this.#received(message),
      onEnd: (error) => this.#failed(error),
    });
    this.#keepAlive();
  }

  push(samples: Int16Array): void {
    if (this.#isOver) return;
    this.#pushedSamples += samples.length;
    for (const sample of samples) {
      this.#piece[this.#pieceBytes++] = sample & 0xff;
      this.#piece[this.#pieceBytes++] = (sample >> 8) & 0xff;
      if (this.#pieceBytes === this.#piece.length) this.#sendPiece();
    }
  }

  finalise(): void {
    if (this.#isOver) return;
    const hasSound = this.#pushedSamples > this.#askedSamples;
    this.#askedSamples = this.#pushedSamples;
    const endMs = (this.#pushedSamples * 1000) / this.#protocol.sampleRateHz;
    const timer = this.#clock.after(ANSWER_LIMIT_MS, () => this.#answerOverdue());
    // What is not yet a whole piece belongs to the pause, and some providers refuse smaller ones.
    this.#asked.push({
      endMs,
      sentMs: this.#sentPieces * this.#protocol.pieceMs,
      hasSound,
      isAlive: false,
      timer,
    });
    if (hasSound && this.#protocol.finalise) this.#socket.send(this.#protocol.finalise);
    else if (hasSound) return;
    else if (this.#asked.length === 1) queueMicrotask(() => this.#answerSilence());
  }

  close(): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.send(this.#protocol.farewell);
    this.#socket.close();
  }

  #sendPiece(): void {
    this.#socket.send(this.#piece.slice());
    this.#pieceBytes = 0;
    this.#sentPieces += 1;
    this.#sentAny = true;
  }

  #received(message: unknown): void {
    for (const told of this.#protocol.read(message)) {
      if (this.#isOver) return;
      for (const asked of this.#asked) asked.isAlive = true;
      if (told.type === 'no-words') continue;
      if (told.type === 'answer') this.#answered(told);
      else if (told.type === 'turn') this.#followTurn(told);
      else if (told.type === 'error') this.#failed(told.error);
      else this.#onEvent(told);
    }
  }

  /** An unrequested final counts too, if it has words. */
  #answered({ text, endMs }: { text: string; endMs?: number }): void {
    const place = endMs === undefined ? {} : { endMs };
    if (this.#asked.length > 0) this.#answer({ text, ...place });
    else if (text !== '') this.#onEvent({ type: 'final', text, ...place });
  }

  /** Requests are answered with the words so far as soon as the text covers their sound; the turn goes on. */
  #followTurn({ text, heardMs = -1, eagerEnd, endOfTurn }: TurnText): void {
    this.#words.hear(text);
    // A pause that the provider sees is what the oldest request was about.
    let isPause = eagerEnd !== undefined || endOfTurn !== undefined;
    for (; this.#asked[0] && (isPause || heardMs >= this.#asked[0].sentMs); isPause = false)
      this.#answer({ text: this.#words.take() });
    const { rest } = this.#words;
    if (rest !== '') this.#onEvent({ type: endOfTurn === undefined ? 'interim' : 'final', text: rest });
    if (eagerEnd !== undefined) this.#onEvent({ type: 'eager-end', confidence: eagerEnd });
    if (endOfTurn === undefined) return;
    this.#words.end();
    this.#onEvent({ type: 'end-of-turn', confidence: endOfTurn });
  }

  /** Answers the oldest request, and those behind it that can get no other answer. */
  #answer(words: { text: string; endMs?: number; isOverdue?: true }): void {
    const asked = this.#asked.shift();
    if (!asked || this.#isOver) return;
    asked.timer.cancel();
    this.#onEvent({ type: 'final', endMs: asked.endMs, ...words });
    this.#answerSilence();
  }

  #answerOverdue(): void {
    const text = this.#words.take();
    this.#answer(this.#asked[0]?.isAlive ? { text } : { text, isOverdue: true });
  }

  #answerSilence(): void {
    if (this.#asked[0]?.hasSound === false) this.#answer({ text: '' });
  }

  #keepAlive(): void {
    const { keepAlive } = this.#protocol;
    if (!keepAlive) return;
    this.#keepAliveTimer = this.#clock.after(KEEP_ALIVE_EVERY_MS, () => {
      if (!this.#sentAny) this.#socket.send(keepAlive);
      this.#sentAny = false;
      this.#keepAlive();
    });
  }

  #failed(error: SpeechError): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.close();
    this.#onEvent({ type: 'failed', error });
  }

  #end(): void {
    this.#isOver = true;
    this.#keepAliveTimer?.cancel();
    for (const { timer } of this.#asked.splice(0)) timer.cancel();
  }
}
