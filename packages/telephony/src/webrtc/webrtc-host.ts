/**
 * The WebRTC worker without its thread: its connections, by {@link WebRtcCommand}s and {@link WebRtcReport}s. An exception in
 * a callback becomes a report, and the connection continues.
 */
import type { Clock } from '@parley/runtime';
import { randomStart } from '../rtp/rtp-sender.ts';
import { createDtlsIdentity, type DtlsIdentity } from './dtls-identity.ts';
import type { OpusCodec } from './open-opus-codec.ts';
import { readOffer } from './session-offer.rules.ts';
import { WebRtcConnection } from './webrtc-connection.ts';
import type { WebRtcCommand, WebRtcReport } from './webrtc-messages.ts';

/** What a host uses of its thread. */
export interface WebRtcHostOptions {
  clock: Clock;
  /** 32 random bits. */
  random: () => number;
  openCodec: () => Promise<OpusCodec>;
  post(reports: WebRtcReport[]): void;
}

/** The connections of one worker. */
export class WebRtcHost {
  readonly #options: WebRtcHostOptions;
  readonly #identity: Promise<DtlsIdentity> = createDtlsIdentity();
  readonly #connections = new Map<number, WebRtcConnection>();
  #reports: WebRtcReport[] = [];

  constructor(options: WebRtcHostOptions) {
    this.#options = options;
  }

  /** Executes a command and never rejects. A command for a connection that is closed is ignored. */
  async execute(command: WebRtcCommand): Promise<void> {
    try {
      if (command.do === 'open') await this.#open(command);
      else if (command.do === 'close') await this.#close(command.id);
      else this.#connections.get(command.id)?.play(command.index, command.samples);
    } catch (error) {
      this.fault(command.id, command.do, error);
    }
  }

  /** Reports an exception. */
  fault(id: number, where: string, error: unknown): void {
    this.#report({ type: 'fault', id, where, message: messageOf(error) });
  }

  async #open({ id, offer: text, host, port, addresses }: WebRtcCommand & { do: 'open' }): Promise<void> {
    const offer = readOffer(text);
    if (typeof offer === 'string') return this.#report({ type: 'refused', id, code: offer });
    const { clock, random, openCodec } = this.#options;
    const connection = new WebRtcConnection({
      id,
      clock,
      identity: await this.#identity,
      offer,
      start: randomStart(random),
      openCodec,
      post: (report) => this.#report(report),
      guard: (where, run) => this.#guard(id, where, run),
    });
    this.#connections.set(id, connection);
    try {
      const answer = await connection.open(host, port, addresses);
      this.#report({ type: 'answered', id, answer });
    } catch (error) {
      this.#connections.delete(id);
      await connection.close();
      this.#report({ type: 'refused', id, code: codeOf(error) });
    }
  }

  async #close(id: number): Promise<void> {
    const connection = this.#connections.get(id);
    this.#connections.delete(id);
    await connection?.close();
    this.#report({ type: 'closed', id });
  }

  #guard(id: number, where: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fault(id, where, error);
    }
  }

  /** One message for all that is read from the sockets in one turn of the event loop. */
  #report(report: WebRtcReport): void {
    if (this.#reports.length === 0) setImmediate(() => this.#flush());
    this.#reports.push(report);
  }

  #flush(): void {
    const reports = this.#reports;
    this.#reports = [];
    this.#options.post(reports);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
