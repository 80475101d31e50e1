/**
 * A call that a carrier holds on its side and streams to us over a WebSocket: an inbound leg without SIP. The caller hears
 * nothing before the answer. The leg ends when the stream ends; closing it makes the carrier end the call.
 */
import type { Clock, Log } from '@parley/runtime';
import type { CallLeg, KeysOutcome, LegEnd, LegEvent, TransferOutcome } from '../call-leg.ts';
import { LegListeners } from '../leg-listeners.ts';
import { CarrierMedia } from './carrier-media.ts';
import type { CarrierStreamStart } from './carrier-protocol.ts';
import type { CarrierEvent, CarrierStream } from './carrier-stream.ts';

/** The parameters of a leg. */
export interface CarrierLegOptions {
  /** What the stream began with. */
  start: CarrierStreamStart;
  from: string;
  to: string;
  clock: Clock;
  log: Log;
}

/** The reported duration of a key, which the carrier does not tell, milliseconds. */
const KEY_MS = 160;
/** How long a hang-up waits until the carrier has played what it holds, milliseconds. */
const PLAYED_LIMIT_MS = 1_000;

/** Creates a leg for a stream that has started. Its id is the carrier's id of the call. */
export function createCarrierLeg(stream: CarrierStream, options: CarrierLegOptions): CallLeg {
  return new StreamedLeg(stream, options);
}

class StreamedLeg implements CallLeg {
  readonly id: string;
  readonly direction = 'inbound';
  readonly from: string;
  readonly to: string;
  readonly media: CarrierMedia;
  readonly #stream: CarrierStream;
  readonly #log: Log;
  readonly #listeners: LegListeners;
  #state: 'waiting' | 'answered' | 'ending' | 'ended' = 'waiting';
  #ending: Promise<void> | null = null;

  constructor(stream: CarrierStream, { start, from, to, clock, log }: CarrierLegOptions) {
    this.id = start.callSid;
    this.from = from;
    this.to = to;
    this.#stream = stream;
    this.#log = log;
    this.#listeners = new LegListeners(log);
    const onLost = (): void =>
      this.#end({
        cause: 'line-lost',
        detail: 'No audio crossed the stream of the carrier within the limit',
      });
    this.media = new CarrierMedia(stream, start, { clock, onLost });
    stream.follow((event) => this.#take(event));
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#listeners.add(listener);
  }

  /** The carrier has answered the call already; the caller hears silence. */
  ring(): void {}

  async answer(): Promise<void> {
    if (this.#state !== 'waiting') return;
    this.#state = 'answered';
    this.media.start();
    this.#listeners.emit({ type: 'answered', dialog: null });
  }

  reject(sipStatus: number): void {
    if (this.#state !== 'waiting') return;
    this.#end({ cause: 'rejected', sipStatus, detail: `We refused the call with ${sipStatus}` });
  }

  async hangUp(): Promise<void> {
    this.#ending ??= this.#hangUp();
    await this.#ending;
  }

  /** As tones in the sound. */
  async sendDtmf(digits: string): Promise<KeysOutcome> {
    if (this.#state !== 'answered') return { isSent: false, reason: 'no-call' };
    this.media.sendKeys(digits);
    return { isSent: true, method: 'inband' };
  }

  /** Always refused: the protocol has no message for a transfer. */
  async transfer(): Promise<TransferOutcome> {
    return { result: 'refused', sipStatus: null };
  }

  async #hangUp(): Promise<void> {
    if (this.#state === 'waiting')
      return this.#end({ cause: 'cancelled', detail: 'The call was cancelled before the answer' });
    if (this.#state !== 'answered') return;
    this.#state = 'ending';
    this.media.stop();
    await this.media.untilPlayed(PLAYED_LIMIT_MS);
    this.#end({ cause: 'local-hang-up', detail: 'We hung up' });
  }

  #take(event: CarrierEvent): void {
    switch (event.type) {
      case 'media':
        if (this.#state === 'answered') this.media.receive(event.payload, event.chunk);
        return;
      case 'mark':
        return this.media.played(event.name);
      case 'dtmf':
        if (this.#state === 'answered')
          this.#listeners.emit({ type: 'dtmf', digit: event.digit, durationMs: KEY_MS });
        return;
      case 'error':
        return this.#log.warn({ detail: event.detail }, 'The carrier reports an error of a stream');
      case 'stopped':
        return this.#onGone({ cause: 'remote-hang-up', detail: 'The caller hung up' });
      case 'broken':
        return this.#onGone({ cause: 'line-lost', detail: event.detail });
    }
  }

  /** An end that arrives after our hang-up began is recorded as our hang-up. */
  #onGone(end: LegEnd): void {
    this.media.giveUp();
    if (this.#state !== 'ending') this.#end(end);
  }

  #end(end: LegEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.media.stop();
    this.#stream.close(end.cause);
    this.#listeners.emit({ type: 'ended', end });
  }
}
