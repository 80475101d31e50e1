/**
 * Outbound calls of a simulated carrier: phones that ring when a request has arrived, whether its answer does or not, and reports
 * about them, which come as badly as a test asks. Answered phones follow the markup of the request.
 */
import { pause, systemClock } from '@parley/runtime';
import type { StreamedCall } from './streamed-caller.ts';

/** What a phone does, and how its carrier reports it. */
export interface PhoneBehaviour {
  /** `ring`: until the limit of the request. Default: `answer`. */
  does?: 'answer' | 'busy' | 'fail' | 'ring';
  /** Default: `in-order`. `late`: each a second and a half after it happened. `reversed`: all at the end, the last one first. */
  reports?: 'in-order' | 'late' | 'twice' | 'reversed' | 'never';
  /** Twilio: how long the call waits in its queue, by its answer, milliseconds. */
  queueMs?: number;
}

/** How one carrier writes what concerns a call. */
export interface DialWire {
  newCallSid(): string;
  /** Follows the markup of a call that was answered. @throws Error for any other than ours */
  stream(form: Readonly<Record<string, string>>, callSid: string): StreamedCall;
  /** The parameters of a report. */
  report(form: Readonly<Record<string, string>>, about: DialReport): Record<string, string>;
  /** The headers of a report that prove who has sent it. */
  sign(url: string, report: Record<string, string>): Record<string, string>;
}

/** What a report is about. */
interface DialReport {
  callSid: string;
  state: string;
  sequenceNumber: string;
}

const LATE_MS = 1_500;
const RING_MS = 300;

/** One call that was requested. */
export class SimulatedDial {
  readonly callSid: string;
  readonly form: Readonly<Record<string, string>>;
  readonly behaviour: PhoneBehaviour;
  readonly createdAt = new Date();
  state = 'queued';
  /** How often the phone has begun to ring. */
  rings = 0;
  stream: StreamedCall | null = null;
  /** What went wrong here, for example with the TwiML. */
  readonly faults: string[] = [];
  readonly #wire: DialWire;
  readonly #note = (error: unknown): void => void this.faults.push(String(error));
  readonly #reports: Record<string, string>[] = [];
  #sequence = 0;

  constructor(form: Record<string, string>, behaviour: PhoneBehaviour, wire: DialWire) {
    this.form = form;
    this.#wire = wire;
    this.callSid = wire.newCallSid();
    this.behaviour = behaviour;
    this.#live().catch(this.#note);
  }

  get isOver(): boolean {
    return !['queued', 'initiated', 'ringing', 'in-progress'].includes(this.state);
  }

  /** The person picks up. */
  answer(): void {
    if (this.state !== 'ringing') return;
    this.#enter('in-progress');
    const stream = this.#wire.stream(this.form, this.callSid);
    this.stream = stream;
    stream.ended.then(() => this.#enter('completed')).catch(this.#note);
  }

  /** Ends the call, as a request to the API does. @returns false for a call that is over */
  end(): boolean {
    if (this.isOver) return false;
    if (this.stream) this.stream.hangUp();
    this.#enter(this.stream ? 'completed' : 'canceled');
    return true;
  }

  async #live(): Promise<void> {
    await pause(systemClock, 20);
    this.#enter('initiated');
    await pause(systemClock, 20);
    const { does = 'answer' } = this.behaviour;
    if (does === 'fail') return this.#enter('failed');
    if (does === 'busy') return this.#enter('busy');
    this.rings += 1;
    this.#enter('ringing');
    if (does === 'answer') {
      await pause(systemClock, RING_MS);
      return this.answer();
    }
    await pause(systemClock, Number(this.form['Timeout']) * 1_000);
    if (this.state === 'ringing') this.#enter('no-answer');
  }

  #enter(state: string): void {
    if (this.isOver) return;
    this.state = state;
    const sequenceNumber = String(this.#sequence++);
    const report = this.#wire.report(this.form, { callSid: this.callSid, state, sequenceNumber });
    this.#report(report).catch(this.#note);
  }

  async #report(report: Record<string, string>): Promise<void> {
    const { reports = 'in-order' } = this.behaviour;
    if (reports === 'never') return;
    if (reports === 'reversed') {
      this.#reports.unshift(report);
      if (this.isOver) for (const one of this.#reports.splice(0)) await this.#send(one);
      return;
    }
    if (reports === 'late') await pause(systemClock, LATE_MS);
    for (let time = 0; time < (reports === 'twice' ? 2 : 1); time++) await this.#send(report);
  }

  async #send(report: Record<string, string>): Promise<void> {
    const url = this.form['StatusCallback'] ?? '';
    const headers = this.#wire.sign(url, report);
    // A carrier gives up where nobody answers.
    await fetch(url, { method: 'POST', headers, body: new URLSearchParams(report) }).catch(() => undefined);
  }
}
