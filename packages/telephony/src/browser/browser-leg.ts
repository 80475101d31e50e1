/**
 * A call from a browser: an inbound leg over a WebSocket that is already authenticated. The leg ends when the
 * socket closes. Its sound goes over WebRTC where the browser offers that and it connects in time, otherwise, and when it
 * fails later, over the WebSocket.
 */
import { MessageAllowance, type Clock, type Log } from '@parley/runtime';
import type { CallLeg, KeysOutcome, LegEnd, LegEvent, TransferOutcome } from '../call-leg.ts';
import { LegListeners } from '../leg-listeners.ts';
import { BROWSER_FRAME_SAMPLES, BROWSER_SAMPLE_RATE_HZ, BrowserMedia } from './browser-media.ts';
import { SOUND_MESSAGES } from '../streams/sound-messages.ts';
import type { WebRtcFactory } from '../webrtc/webrtc-factory.ts';
import {
  CLOSED,
  parseClientMessage,
  samplesOf,
  type BrowserData,
  type BrowserSocket,
  type ClientMessage,
} from './browser-socket.ts';
import { WebRtcPath } from './webrtc-path.ts';

/** The parameters of a browser leg. */
export interface BrowserLegOptions {
  /** Unique; the counterpart of the Call-ID of SIP. */
  id: string;
  from?: string;
  to?: string;
  clock: Clock;
  log: Log;
  /** Answers the offer that the browser is going to send. Absent: there is none, and the WebSocket carries the sound. */
  webRtc?: WebRtcFactory | undefined;
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
const GONE: LegEnd = { cause: 'remote-hang-up', detail: 'The browser closed the connection' };

/** Creates a leg for a socket, which may have been closed in the meantime. No audio is sent before `answer`. */
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
  readonly #listeners: LegListeners;
  readonly #allowance: MessageAllowance;
  readonly #webRtc: WebRtcPath | null;
  #state: 'waiting' | 'answering' | 'answered' | 'ended' = 'waiting';

  constructor(socket: BrowserSocket, options: BrowserLegOptions) {
    const { id, from = '', to = '', clock, log, webRtc } = options;
    this.id = id;
    this.from = from;
    this.to = to;
    this.#socket = socket;
    this.#log = log;
    this.#listeners = new LegListeners(log);
    this.#allowance = new MessageAllowance(clock, SOUND_MESSAGES);
    this.media = new BrowserMedia(socket, clock, {
      onLost: () =>
        this.#end({ cause: 'line-lost', detail: 'No audio arrived from the browser within the limit' }),
      onWebRtcSilent: () => this.#webRtc?.fail('Nothing arrives any more'),
    });
    this.#webRtc = webRtc ? this.#openPath(webRtc, clock) : null;
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('close', () => this.#end(GONE));
    socket.on('error', (error) => log.warn({ err: error }, 'The connection to a browser has failed'));
    // The browser has left while its ticket was checked; the event does not come again.
    if (socket.readyState === CLOSED) this.#end(GONE);
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#listeners.add(listener);
  }

  ring(): void {
    this.notify({ type: 'ringing', dialog: null });
  }

  async answer(): Promise<void> {
    if (this.#state !== 'waiting') return;
    this.#state = 'answering';
    await this.#webRtc?.settled;
    if (this.#hasEnded()) return;
    this.#state = 'answered';
    this.notify({
      type: 'ready',
      sampleRateHz: BROWSER_SAMPLE_RATE_HZ,
      frameSamples: BROWSER_FRAME_SAMPLES,
    });
    this.media.start();
    this.#listeners.emit({ type: 'answered', dialog: null });
  }

  reject(sipStatus: number): void {
    if (this.#state !== 'waiting') return;
    this.#end({ cause: 'rejected', sipStatus, detail: `We refused the call with ${sipStatus}` });
  }

  async hangUp(): Promise<void> {
    this.#end(
      this.#state === 'waiting' || this.#state === 'answering'
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
    if (!this.#hasEnded()) this.#socket.send(JSON.stringify(message));
  }

  #openPath(factory: WebRtcFactory, clock: Clock): WebRtcPath {
    return new WebRtcPath({
      factory,
      clock,
      log: this.#log,
      onAnswer: (sdp) => this.notify({ type: 'webrtc-answer', sdp }),
      onConnected: (link) => {
        this.media.useWebRtc(link);
        this.notify({ type: 'sound-path', path: 'webrtc' });
      },
      onSound: (sound) => this.media.receiveWebRtc(sound),
      onLate: () => this.notify({ type: 'sound-path', path: 'websocket' }),
      onFailed: () => {
        this.media.useSocket();
        this.notify({ type: 'sound-path', path: 'websocket' });
      },
    });
  }

  /** A method, because the state changes while `answer` waits. */
  #hasEnded(): boolean {
    return this.#state === 'ended';
  }

  #take(data: BrowserData, isBinary: boolean): void {
    if (this.#hasEnded()) return;
    if (!this.#allowance.take())
      return this.#end({ cause: 'line-lost', detail: 'The browser sent too many messages' });
    const bytes = bytesOf(data);
    if (isBinary) {
      const samples = this.#state === 'answered' ? samplesOf(bytes) : null;
      if (samples) this.media.receive(samples);
      return;
    }
    const message = parseClientMessage(bytes.toString('utf8'));
    if (message?.type === 'webrtc-offer') this.#webRtc?.offer(message.sdp);
    else if (message?.type === 'webrtc-failed') this.#webRtc?.fail('Reported by the browser');
    else if (message && this.#state === 'answered') this.#obey(message);
  }

  #obey(message: Extract<ClientMessage, { type: 'dtmf' | 'hang-up' }>): void {
    if (message.type === 'dtmf')
      this.#listeners.emit({ type: 'dtmf', digit: message.digit, durationMs: KEY_MS });
    else this.#end({ cause: 'remote-hang-up', detail: 'The caller hung up' });
  }

  #end(end: LegEnd): void {
    if (this.#hasEnded()) return;
    this.notify({ type: 'ended', cause: end.cause });
    this.#state = 'ended';
    this.media.stop();
    this.#webRtc?.close();
    this.#socket.close(NORMAL_CLOSURE, end.cause);
    this.#listeners.emit({ type: 'ended', end });
  }
}

function bytesOf(data: BrowserData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
