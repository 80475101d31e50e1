/**
 * A call from a browser: an inbound leg over a WebSocket that is already open and authenticated. The leg ends when the
 * socket closes.
 */
import type { Clock, Log } from '@parley/runtime';
import type { CallLeg, KeysOutcome, LegEnd, LegEvent, TransferOutcome } from '../call-leg.ts';
import { BROWSER_FRAME_SAMPLES, BROWSER_SAMPLE_RATE_HZ, BrowserMedia } from './browser-media.ts';
import { parseClientMessage, samplesOf, type BrowserData, type BrowserSocket } from './browser-socket.ts';

/** The parameters of a browser leg. */
export interface BrowserLegOptions {
  /** Unique; the counterpart of the Call-ID of SIP. */
  id: string;
  from?: string;
  to?: string;
  clock: Clock;
  log: Log;
}

/** A leg that can also send text to its browser. */
export interface BrowserLeg extends CallLeg {
  /** Sends a JSON message of an application-defined type, for example `turn`. Ignored after the end. */
  notify(message: { type: string; [field: string]: unknown }): void;
}

/** The reported duration of a key: a click on the page has none, milliseconds. */
const KEY_MS = 160;
/** WebSocket close code for a normal end (RFC 6455 section 7.4.1). */
const NORMAL_CLOSURE = 1000;

/** Creates a leg for an open socket. No audio is sent before `answer`. */
export function createBrowserLeg(socket: BrowserSocket, options: BrowserLegOptions): BrowserLeg {
  return new SocketLeg(socket, options);
}

class SocketLeg implements BrowserLeg {
  readonly id: string;
  readonly direction = 'inbound';
  readonly from: string;
  readonly to: string;
  readonly media: BrowserMedia;
  readonly #socket: BrowserSocket;
  readonly #log: Log;
  #listeners: ((event: LegEvent) => void)[] = [];
  /** Events before the first listener. */
  #early: LegEvent[] = [];
  #state: 'waiting' | 'answered' | 'ended' = 'waiting';

  constructor(socket: BrowserSocket, { id, from = '', to = '', clock, log }: BrowserLegOptions) {
    this.id = id;
    this.from = from;
    this.to = to;
    this.#socket = socket;
    this.#log = log;
    this.media = new BrowserMedia(socket, clock, () =>
      this.#end({ cause: 'line-lost', detail: 'No audio arrived from the browser within the limit' }),
    );
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('close', () =>
      this.#end({ cause: 'remote-hang-up', detail: 'The browser closed the connection' }),
    );
    socket.on('error', (error) => log.warn({ err: error }, 'The connection to a browser has failed'));
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#listeners.push(listener);
    for (const event of this.#early.splice(0)) this.#tell(listener, event);
  }

  ring(): void {
    this.notify({ type: 'ringing', dialog: null });
  }

  async answer(): Promise<void> {
    if (this.#state !== 'waiting') return;
    this.#state = 'answered';
    this.notify({
      type: 'ready',
      sampleRateHz: BROWSER_SAMPLE_RATE_HZ,
      frameSamples: BROWSER_FRAME_SAMPLES,
    });
    this.media.start();
    this.#emit({ type: 'answered', dialog: null });
  }

  reject(sipStatus: number): void {
    if (this.#state !== 'waiting') return;
    this.#end({ cause: 'rejected', sipStatus, detail: `We refused the call with ${sipStatus}` });
  }

  async hangUp(): Promise<void> {
    this.#end(
      this.#state === 'waiting'
        ? { cause: 'cancelled', detail: 'The call was cancelled before the answer' }
        : { cause: 'local-hang-up', detail: 'We hung up' },
    );
  }

  /** Never sent: a browser has no use for DTMF. */
  async sendDtmf(): Promise<KeysOutcome> {
    return { isSent: false, reason: 'unsupported' };
  }

  /** Always refused: a browser cannot place calls. */
  async transfer(): Promise<TransferOutcome> {
    return { result: 'refused', sipStatus: null };
  }

  notify(message: { type: string; [field: string]: unknown }): void {
    if (this.#state !== 'ended') this.#socket.send(JSON.stringify(message));
  }

  #take(data: BrowserData, isBinary: boolean): void {
    if (this.#state !== 'answered') return;
    const bytes = bytesOf(data);
    if (isBinary) {
      const samples = samplesOf(bytes);
      if (samples) this.media.receive(samples);
      return;
    }
    const message = parseClientMessage(bytes.toString('utf8'));
    if (message?.type === 'dtmf') this.#emit({ type: 'dtmf', digit: message.digit, durationMs: KEY_MS });
    if (message?.type === 'hang-up') this.#end({ cause: 'remote-hang-up', detail: 'The caller hung up' });
  }

  #end(end: LegEnd): void {
    if (this.#state === 'ended') return;
    this.notify({ type: 'ended', cause: end.cause });
    this.#state = 'ended';
    this.media.stop();
    this.#socket.close(NORMAL_CLOSURE, end.cause);
    this.#emit({ type: 'ended', end });
  }

  #emit(event: LegEvent): void {
    if (this.#listeners.length === 0) this.#early.push(event);
    for (const listener of this.#listeners) this.#tell(listener, event);
  }

  /** An error in one listener must not affect the others. */
  #tell(listener: (event: LegEvent) => void, event: LegEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#log.error({ err: error, event: event.type }, 'A listener of a leg failed');
    }
  }
}

function bytesOf(data: BrowserData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
