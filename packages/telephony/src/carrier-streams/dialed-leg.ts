/**
 * A call that a carrier dials for us and streams to us once it is answered: an outbound leg without SIP. The carrier is asked
 * once. If its answer is lost, the phone may ring, and the leg waits for what names the call: reports of the carrier, or its
 * stream. Reports may come late, twice, out of order or never; the carrier is also asked, once the call is known.
 */
import type { Clock, Log, Timer } from '@parley/runtime';
import type { CallLeg, KeysOutcome, LegEnd, LegEvent, TransferOutcome } from '../call-leg.ts';
import { LegListeners } from '../leg-listeners.ts';
import { AwaitedMedia } from './awaited-media.ts';
import { createCarrierLeg } from './carrier-leg.ts';
import type { CarrierStreamStart } from './carrier-protocol.ts';
import type { CarrierStream } from './carrier-stream.ts';
import { endOfState, type DialedState } from './dialed-end.rules.ts';

/** What became of the request. `unreachable`: it was not carried out; `unknown`: the phone may ring. */
export type PlacedCall =
  | { result: 'accepted'; callSid: string; queueMs: number }
  | { result: 'refused' | 'unreachable' | 'unknown'; detail: string };

/** Requests to the carrier about one call. None rejects. */
interface CarrierControl {
  /** Whether the stream names the call as the answer and the reports do. */
  isNamedByStream: boolean;
  place(): Promise<PlacedCall>;
  /** Stores the carrier's id of the call. */
  bind(callSid: string): Promise<void>;
  /** @returns null when the carrier does not say */
  look(callSid: string): Promise<DialedState | null>;
  /** Ends the call in any state. */
  end(callSid: string): Promise<void>;
}

/** What the carrier reports. */
export interface CarrierReport {
  carrierCallId: string;
  state: DialedState;
  sipStatus: number | null;
}

/** The parameters of a leg. */
export interface DialedLegOptions {
  id: string;
  from: string;
  to: string;
  /** The stream of the call shows it. */
  ticket: string;
  ringLimitMs: number;
  carrier: CarrierControl;
  clock: Clock;
  log: Log;
}

/** How often the carrier is asked until the stream comes, milliseconds. */
const LOOK_MS = 10_000;
/** The carrier may let the phone ring five seconds longer than asked, and its reports take time. */
const RING_MARGIN_MS = 15_000;
/** How long the leg waits for a sign of a call whose answer was lost, milliseconds. */
const UNKNOWN_LIMIT_MS = 30_000;
/** From the answer to the stream, milliseconds. */
const STREAM_LIMIT_MS = 20_000;
/** A call that waits longer at the carrier would ring when it is not allowed any more. */
const LONGEST_QUEUE_MS = 10_000;

const CANCELLED: LegEnd = { cause: 'cancelled', detail: 'The call was cancelled before the answer' };

/** A leg that waits for the carrier and its stream. The request leaves when it is made. */
export class DialedCarrierLeg implements CallLeg {
  readonly id: string;
  readonly direction = 'outbound';
  readonly from: string;
  readonly to: string;
  readonly media = new AwaitedMedia();
  readonly #options: DialedLegOptions;
  readonly #listeners: LegListeners;
  readonly #placed: Promise<void>;
  readonly #timers = new Set<Timer>();
  #state: 'dialing' | 'streaming' | 'ending' | 'ended' = 'dialing';
  #callSid: string | null = null;
  #hasRung = false;
  #isAnswered = false;
  #stream: CallLeg | null = null;
  #ending: Promise<void> | null = null;

  constructor(options: DialedLegOptions) {
    const { id, from, to, log } = options;
    this.id = id;
    this.from = from;
    this.to = to;
    this.#options = options;
    this.#listeners = new LegListeners(log);
    this.#placed = this.#place();
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#listeners.add(listener);
  }

  /** Inbound only. */
  ring(): void {}

  /** Inbound only. */
  async answer(): Promise<void> {}

  /** Inbound only. */
  reject(): void {}

  async hangUp(): Promise<void> {
    await (this.#stream ? this.#stream.hangUp() : this.#giveUp(CANCELLED));
  }

  async sendDtmf(digits: string): Promise<KeysOutcome> {
    return this.#stream?.sendDtmf(digits) ?? { isSent: false, reason: 'no-call' };
  }

  async transfer(number: string, limitMs: number): Promise<TransferOutcome> {
    return this.#stream?.transfer(number, limitMs) ?? { result: 'refused', sipStatus: null };
  }

  /** Takes a report of the carrier. Those about another call, and those that say nothing new, change nothing. */
  report({ carrierCallId, state, sipStatus }: CarrierReport): void {
    if (this.#state === 'ended') return this.#endLate(carrierCallId, state);
    if (this.#know(carrierCallId)) this.#enter(state, sipStatus);
  }

  /** The first sign of a call that was given up before it was known. */
  #endLate(callSid: string, state: DialedState): void {
    if (this.#callSid !== null) return;
    this.#callSid = callSid;
    if (endOfState(state, null) === null) void this.#options.carrier.end(callSid);
  }

  /**
   * The call was answered, and its stream has come.
   *
   * @returns false when it is not the stream of this call, or the call is over: the caller closes it
   */
  attach(stream: CarrierStream, start: CarrierStreamStart): boolean {
    const { ticket, from, to, clock, log } = this.#options;
    if (this.#state !== 'dialing' || start.parameters['ticket'] !== ticket) return false;
    if (this.#options.carrier.isNamedByStream && !this.#know(start.callSid)) return false;
    this.#state = 'streaming';
    this.#cancelTimers();
    const leg = createCarrierLeg(stream, { start, from, to, clock, log });
    this.#stream = leg;
    this.media.join(leg.media);
    leg.onEvent((event) => this.#onStream(event));
    void leg.answer();
    return true;
  }

  async #place(): Promise<void> {
    const { carrier, ringLimitMs } = this.#options;
    this.#giveUpAfter(ringLimitMs + RING_MARGIN_MS, {
      cause: 'no-answer',
      detail: 'The call was not answered',
    });
    const placed = await carrier.place();
    if (placed.result === 'accepted') {
      this.#know(placed.callSid);
      if (placed.queueMs > LONGEST_QUEUE_MS)
        await this.#giveUp({
          cause: 'unreachable',
          detail: 'The carrier would have dialed the call too late',
        });
      return;
    }
    // A report was faster: the call exists.
    if (this.#callSid !== null) return;
    const { result, detail } = placed;
    if (result === 'refused')
      return this.#end({ cause: 'rejected', detail: `The carrier refused: ${detail}` });
    if (result === 'unreachable') return this.#end({ cause: 'unreachable', detail });
    this.#after(UNKNOWN_LIMIT_MS, () => {
      if (this.#callSid === null)
        this.#end({
          cause: 'line-lost',
          detail: `The answer of the carrier was lost, and it has not reported the call since: ${detail}`,
        });
    });
  }

  /** @returns false for the id of another call */
  #know(callSid: string): boolean {
    if (this.#callSid !== null) return this.#callSid === callSid;
    this.#callSid = callSid;
    void this.#options.carrier.bind(callSid);
    if (this.#state === 'dialing') this.#lookLater(callSid);
    return true;
  }

  #lookLater(callSid: string): void {
    this.#after(LOOK_MS, () => void this.#look(callSid));
  }

  async #look(callSid: string): Promise<void> {
    const state = await this.#options.carrier.look(callSid);
    if (state !== null) this.#enter(state, null);
    if (this.#state === 'dialing') this.#lookLater(callSid);
  }

  #enter(state: DialedState, sipStatus: number | null): void {
    if (this.#state !== 'dialing') return;
    if (state === 'ringing' && !this.#hasRung) {
      this.#hasRung = true;
      this.#listeners.emit({ type: 'ringing', dialog: null });
    }
    if (state === 'in-progress' && !this.#isAnswered) {
      this.#isAnswered = true;
      this.#giveUpAfter(STREAM_LIMIT_MS, {
        cause: 'line-lost',
        detail: 'The call was answered, and its stream has not come',
      });
    }
    const end = endOfState(state, sipStatus);
    if (end) this.#end(end);
  }

  #onStream(event: LegEvent): void {
    if (event.type === 'ended') this.#end(event.end);
    else this.#listeners.emit(event);
  }

  /** Ends a call that is not streamed yet. While the carrier has not answered, its id is awaited first. */
  #giveUp(end: LegEnd): Promise<void> {
    this.#ending ??= this.#endAtCarrier(end);
    return this.#ending;
  }

  async #endAtCarrier(end: LegEnd): Promise<void> {
    if (this.#state !== 'dialing') return;
    this.#state = 'ending';
    this.#cancelTimers();
    if (this.#callSid === null) await this.#placed;
    if (this.#callSid !== null) await this.#options.carrier.end(this.#callSid);
    this.#end(end);
  }

  #end(end: LegEnd): void {
    if (this.#state === 'ended') return;
    const isBeforeStream = this.#stream === null;
    this.#state = 'ended';
    this.#cancelTimers();
    const detail = isBeforeStream && this.#callSid !== null ? `${end.detail} (${this.#callSid})` : end.detail;
    this.#listeners.emit({ type: 'ended', end: { ...end, detail } });
  }

  #giveUpAfter(delayMs: number, end: LegEnd): void {
    this.#after(delayMs, () => void this.#giveUp(end));
  }

  #after(delayMs: number, work: () => void): void {
    const timer = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      work();
    });
    this.#timers.add(timer);
  }

  #cancelTimers(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }
}
