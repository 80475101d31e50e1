/**
 * The supervisors of one call: who listens in, who talks to the customer in place of the assistant, and what is whispered to
 * the assistant. A supervisor connects with a ticket that is valid once. Nothing that a supervisor's connection does can
 * delay or end the call: a listener who does not keep up is disconnected, and a call whose operator is lost goes back to the
 * assistant (docs/decisions/supervision.md).
 */
import { timingSafeEqual } from 'node:crypto';
import type { SupervisionMode, SupervisionServerMessage } from '@parley/contracts';
import { hashSecret, randomSecret } from '@parley/core';
import type { Turn } from '@parley/conversation';
import type { Clock } from '@parley/runtime';
import type { MediaPort, MediaTick } from '@parley/telephony';
import { MixedSound } from './mixed-sound.ts';
import { OperatorMicrophone } from './operator-microphone.ts';

/** The browser of a supervisor. */
export interface SupervisorSocket {
  /** Bytes that wait to be sent. */
  readonly bufferedAmount: number;
  send(data: string | Uint8Array): void;
  close(code: number, reason: string): void;
  /** Closes without sending what waits. */
  terminate(): void;
}

/** The conversation, as a supervisor influences it. */
interface SupervisedConversation {
  announce(): void;
  whisper(text: string): boolean;
  attend(isAttended: boolean): boolean;
  transcript(): Turn[];
}

/** Options of the supervision of one call. */
export interface CallSupervisionOptions {
  clock: Clock;
  media: Pick<MediaPort, 'sampleRateHz' | 'frameSamples' | 'play' | 'clear'>;
  conversation: SupervisedConversation;
  /** `talking`: the assistant is there; `bridged`: it has left; `closed`: not answered, or ending. */
  state: () => 'closed' | 'talking' | 'bridged';
  /** The names of destinations to which the call can be transferred. */
  destinations: readonly string[];
  /** Writes a line of the call's timeline. */
  note: (type: string, detail: Record<string, unknown>) => void;
}

/** Why a supervisor is refused. */
export type SupervisionRefusal = 'not-talking' | 'too-many' | 'attended' | 'cannot-announce' | 'no-model';

/** Supervisors at once. */
const MOST_SUPERVISORS = 5;
/** Tickets that wait to be used. */
const MOST_TICKETS = 10;
/** Whispers in one call: the prompt grows with each. */
const MOST_WHISPERS = 30;
/** How long a ticket is valid, milliseconds. */
const TICKET_MS = 60_000;
/** A listener with more than this waiting is disconnected: two seconds of sound. */
const MOST_UNSENT_BYTES = 64_000;

/** WebSocket close codes; the application range is 4000 to 4999 (RFC 6455 section 7.4.2). */
export const CLOSE = { normal: 1000, refused: 4409, badTicket: 4403 } as const;

interface Ticket {
  hash: Buffer;
  mode: SupervisionMode;
  isAnnounced: boolean;
  expiresAtMs: number;
}

interface Supervisor {
  socket: SupervisorSocket;
  /** Set for the one who talks. */
  microphone: OperatorMicrophone | null;
  /** False until the announcement was heard. */
  isListening: boolean;
}

/** What the socket of a supervisor does. */
export interface SupervisorLink {
  /** Sound of the microphone: mono, 16,000 Hz. */
  hear(samples: Int16Array): void;
  /** @param isWanted - the operator gave the call back; otherwise the connection was lost */
  leave(isWanted: boolean): void;
}

/** One per call. */
export class CallSupervision {
  readonly #options: CallSupervisionOptions;
  readonly #sound: MixedSound;
  readonly #supervisors = new Set<Supervisor>();
  #tickets: Ticket[] = [];
  #whispers = 0;
  #announcement: 'none' | 'due' | 'heard' = 'none';

  constructor(options: CallSupervisionOptions) {
    this.#options = options;
    this.#sound = new MixedSound(options.media);
  }

  /**
   * A ticket for one connection, valid for 60 s.
   *
   * @param isAnnounced - the customer is told before the supervisor hears anything; a supervisor who talks needs no announcement
   */
  issueTicket(mode: SupervisionMode, isAnnounced: boolean): { ticket: string } | SupervisionRefusal {
    const now = this.#options.clock.monotonic();
    this.#tickets = this.#tickets.filter(({ expiresAtMs }) => expiresAtMs > now);
    const refusal = this.#refusalOf(mode, isAnnounced);
    if (refusal) return refusal;
    if (this.#tickets.length >= MOST_TICKETS) return 'too-many';
    const ticket = randomSecret();
    this.#tickets.push({ hash: hashSecret(ticket), mode, isAnnounced, expiresAtMs: now + TICKET_MS });
    return { ticket };
  }

  /** Connects a supervisor, or closes the socket with the reason. */
  accept(socket: SupervisorSocket, secret: string): SupervisorLink | null {
    const ticket = this.#takeTicket(secret);
    if (!ticket) return refuse(socket, CLOSE.badTicket, 'The ticket is not valid any more');
    const refusal = this.#refusalOf(ticket.mode, ticket.isAnnounced);
    if (refusal) return refuse(socket, CLOSE.refused, refusal);
    return ticket.mode === 'talk' ? this.#takeOver(socket) : this.#listen(socket, ticket.isAnnounced);
  }

  /** @returns why the assistant cannot follow it, or null */
  whisper(text: string): SupervisionRefusal | null {
    const { conversation, note, state } = this.#options;
    if (state() !== 'talking') return 'not-talking';
    if (this.#whispers >= MOST_WHISPERS) return 'too-many';
    if (!conversation.whisper(text)) return 'no-model';
    this.#whispers += 1;
    note('whispered', { text });
    return null;
  }

  /** A frame of the call, in both directions. */
  tick(tick: MediaTick): void {
    if (this.#supervisors.size === 0) return;
    let both: Uint8Array | null = null;
    for (const supervisor of this.#supervisors) {
      if (supervisor.microphone) this.#tickOperator(supervisor, supervisor.microphone, tick);
      else if (supervisor.isListening) this.#send(supervisor, (both ??= this.#sound.both(tick)));
    }
  }

  /** A turn is over, or was corrected. */
  turn(turn: Turn): void {
    for (const supervisor of this.#supervisors)
      if (supervisor.isListening) this.#tell(supervisor, turnMessage(turn));
  }

  /** The customer has heard that a supervisor listens in. */
  announced(): void {
    this.#announcement = 'heard';
    this.#options.note('listening_announced', {});
    for (const supervisor of this.#supervisors) if (!supervisor.isListening) this.#begin(supervisor);
  }

  /** The call is over. */
  end(): void {
    this.#tickets = [];
    for (const supervisor of this.#supervisors) {
      this.#supervisors.delete(supervisor);
      this.#tell(supervisor, { type: 'ended' });
      supervisor.socket.close(CLOSE.normal, 'The call has ended');
    }
  }

  #refusalOf(mode: SupervisionMode, isAnnounced: boolean): SupervisionRefusal | null {
    const state = this.#options.state();
    if (state === 'closed') return 'not-talking';
    if (this.#supervisors.size >= MOST_SUPERVISORS) return 'too-many';
    const isLeft = state === 'bridged';
    if (mode === 'talk') return isLeft ? 'not-talking' : this.#isAttended ? 'attended' : null;
    return isAnnounced && isLeft && this.#announcement !== 'heard' ? 'cannot-announce' : null;
  }

  get #isAttended(): boolean {
    return [...this.#supervisors].some(({ microphone }) => microphone !== null);
  }

  #takeTicket(secret: string): Ticket | null {
    const hash = hashSecret(secret);
    const ticket = this.#tickets.find((other) => timingSafeEqual(other.hash, hash));
    this.#tickets = this.#tickets.filter((other) => other !== ticket);
    return ticket && ticket.expiresAtMs > this.#options.clock.monotonic() ? ticket : null;
  }

  #listen(socket: SupervisorSocket, isAnnounced: boolean): SupervisorLink {
    const mustWait = isAnnounced && this.#announcement !== 'heard';
    const supervisor: Supervisor = { socket, microphone: null, isListening: false };
    this.#supervisors.add(supervisor);
    this.#options.note('listening_began', { is_announced: isAnnounced });
    if (mustWait) this.#announce(supervisor);
    else this.#begin(supervisor);
    return {
      hear: () => undefined,
      leave: () => this.#leave(supervisor),
    };
  }

  #announce(supervisor: Supervisor): void {
    this.#tell(supervisor, { type: 'announcing' });
    if (this.#announcement === 'due') return;
    this.#announcement = 'due';
    this.#options.conversation.announce();
  }

  /** The supervisor reads what was said so far, and hears the call from here on. */
  #begin(supervisor: Supervisor): void {
    const { destinations, conversation } = this.#options;
    supervisor.isListening = true;
    this.#tell(supervisor, {
      type: supervisor.microphone ? 'talking' : 'listening',
      destinations: [...destinations],
    });
    for (const turn of conversation.transcript()) this.#tell(supervisor, turnMessage(turn));
  }

  #takeOver(socket: SupervisorSocket): SupervisorLink | null {
    const { conversation, media, note } = this.#options;
    if (!conversation.attend(true)) return refuse(socket, CLOSE.refused, 'not-talking');
    note('taken_over', {});
    const microphone = new OperatorMicrophone(media);
    const supervisor: Supervisor = { socket, microphone, isListening: false };
    this.#supervisors.add(supervisor);
    this.#begin(supervisor);
    return {
      hear: (samples) => this.#supervisors.has(supervisor) && microphone.push(samples),
      leave: (isWanted) => this.#giveBack(supervisor, isWanted),
    };
  }

  #tickOperator(supervisor: Supervisor, microphone: OperatorMicrophone, tick: MediaTick): void {
    microphone.noteSent(tick);
    if (this.#options.state() !== 'talking') {
      supervisor.socket.close(CLOSE.normal, 'The call was transferred');
      return this.#giveBack(supervisor, true);
    }
    if (!microphone.isLost) return this.#send(supervisor, this.#sound.customer(tick));
    supervisor.socket.terminate();
    this.#giveBack(supervisor, false);
  }

  #giveBack(supervisor: Supervisor, isWanted: boolean): void {
    if (!this.#supervisors.delete(supervisor)) return;
    const { conversation, media, note, state } = this.#options;
    if (state() !== 'talking') return;
    note('given_back', { reason: isWanted ? 'operator' : 'connection_lost' });
    media.clear();
    conversation.attend(false);
  }

  #leave(supervisor: Supervisor): void {
    if (this.#supervisors.delete(supervisor)) this.#options.note('listening_ended', {});
  }

  #send(supervisor: Supervisor, data: string | Uint8Array): void {
    const { socket, microphone } = supervisor;
    if (socket.bufferedAmount <= MOST_UNSENT_BYTES) return socket.send(data);
    socket.terminate();
    if (microphone) this.#giveBack(supervisor, false);
    else this.#leave(supervisor);
  }

  #tell(supervisor: Supervisor, message: SupervisionServerMessage): void {
    this.#send(supervisor, JSON.stringify(message));
  }
}

function turnMessage({ sender, text, startedAtMs }: Turn): SupervisionServerMessage {
  return { type: 'turn', sender, text, start_ms: startedAtMs };
}

function refuse(socket: SupervisorSocket, code: number, reason: string): null {
  socket.close(code, reason);
  return null;
}
