/**
 * The connection over which a carrier streams one call to us. It ignores messages that come twice, and limits their number and
 * the time until the first one, because a connection can be made without a valid ticket. Keys and the end of the stream wait
 * until a listener is added; sound that arrives before that is dropped.
 */
import { MessageAllowance, type Clock, type Timer } from '@parley/runtime';
import { SOUND_MESSAGES } from '../streams/sound-messages.ts';
import { CLOSE_CODE, textOf, type StreamData, type StreamSocket } from '../streams/stream-socket.ts';
import type {
  CarrierMessage,
  CarrierProtocol,
  CarrierStreamStart,
  NumberedMessage,
} from './carrier-protocol.ts';
import { SeenNumbers } from './seen-numbers.ts';

/** What a stream reports, in order. */
export type CarrierEvent =
  | Extract<CarrierMessage, { type: 'media' | 'dtmf' | 'mark' | 'error' }>
  /** The last one. `stopped`: the caller has hung up; `broken`: the connection was lost, or the carrier broke the protocol. */
  | { type: 'stopped' }
  | { type: 'broken'; detail: string };

/** How long a carrier may take from the handshake to `start`, milliseconds. It sends both at once. */
const START_LIMIT_MS = 5_000;
/** Messages outside the protocol that are ignored. */
const MOST_INVALID = 100;
/** Keys that wait until the stream is followed. */
const MOST_WAITING = 50;

/** One stream of a carrier. It reads from the moment at which it is made. */
export class CarrierStream {
  /** Resolves with what the carrier says first; null: it has not come in time, or the connection has ended. */
  readonly started: Promise<CarrierStreamStart | null>;
  readonly #started = Promise.withResolvers<CarrierStreamStart | null>();
  readonly protocol: CarrierProtocol;
  readonly #socket: StreamSocket;
  readonly #allowance: MessageAllowance;
  readonly #startLimit: Timer;
  #hasStarted = false;
  #isOver = false;
  readonly #seen = new SeenNumbers();
  #invalid = 0;
  #follower: ((event: CarrierEvent) => void) | null = null;
  readonly #waiting: CarrierEvent[] = [];

  constructor(socket: StreamSocket, { clock, protocol }: { clock: Clock; protocol: CarrierProtocol }) {
    this.protocol = protocol;
    this.#socket = socket;
    this.#allowance = new MessageAllowance(clock, SOUND_MESSAGES);
    this.started = this.#started.promise;
    this.#startLimit = clock.after(START_LIMIT_MS, () => this.#break('The stream did not start in time'));
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('close', () => this.#break('The connection of the stream was lost'));
    // The event `close` follows.
    socket.on('error', () => undefined);
  }

  /** Bytes that have not left yet. */
  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  /** What happens from now on, after what has waited. One listener. */
  follow(listener: (event: CarrierEvent) => void): void {
    this.#follower = listener;
    for (const event of this.#waiting.splice(0)) listener(event);
  }

  /** Ignored after the end. */
  send(text: string): void {
    if (!this.#isOver) this.#socket.send(text);
  }

  /** The carrier goes on with what its TwiML says after the stream. Nothing is reported afterwards. */
  close(reason: string): void {
    if (this.#isOver) return;
    this.#over();
    this.#socket.close(CLOSE_CODE.normal, reason);
  }

  #take(data: StreamData, isBinary: boolean): void {
    if (this.#isOver) return;
    if (!this.#allowance.take()) return this.#break('The carrier sent too many messages');
    const message = isBinary ? null : this.protocol.parse(textOf(data));
    if (message?.type === 'connected') return;
    if (message && this.#isNext(message)) return this.#obey(message);
    this.#invalid += 1;
    if (this.#invalid > MOST_INVALID) this.#break('The carrier sent too much outside of the protocol');
  }

  /** A number that was used belongs to a message that came twice. `start` comes first, and once. */
  #isNext({ type, number }: NumberedMessage): boolean {
    if ((type === 'start') === this.#hasStarted) return false;
    return number === null || this.#seen.take(number);
  }

  #obey(message: NumberedMessage): void {
    if (message.type === 'start') {
      this.#hasStarted = true;
      this.#startLimit.cancel();
      this.#started.resolve(message.start);
    } else if (message.type === 'stop') {
      this.#over();
      this.#socket.close(CLOSE_CODE.normal);
      this.#tell({ type: 'stopped' });
    } else this.#tell(message);
  }

  #tell(event: CarrierEvent): void {
    if (this.#follower) return this.#follower(event);
    const isEnd = event.type === 'stopped' || event.type === 'broken';
    if (isEnd || (event.type === 'dtmf' && this.#waiting.length < MOST_WAITING)) this.#waiting.push(event);
  }

  #break(detail: string): void {
    if (this.#isOver) return;
    this.#over();
    this.#socket.close(CLOSE_CODE.policyViolation);
    this.#tell({ type: 'broken', detail });
  }

  #over(): void {
    this.#isOver = true;
    this.#startLimit.cancel();
    this.#started.resolve(null);
  }
}
