/**
 * The audio of a browser leg: frames of 20 ms at 16 000 Hz, paced by a separate clock wheel and sent without pause, like RTP,
 * over WebRTC or over a WebSocket. The path may change between two frames. Over the WebSocket, three frames of silence are
 * sent at the start and after every `clear`, so that the browser always buffers about 60 ms and network jitter causes no
 * gaps; over WebRTC the browser has a jitter buffer of its own.
 */
import type { Clock } from '@parley/runtime';
import type { MediaStats } from '../call-leg.ts';
import { SocketMedia } from '../socket-media.ts';
import type { WebRtcLink, WebRtcSound } from '../webrtc/webrtc-link.ts';
import type { BrowserSocket } from './browser-socket.ts';

/** Sample rate in both directions. */
export const BROWSER_SAMPLE_RATE_HZ = 16_000;
/** 20 ms. */
export const BROWSER_FRAME_SAMPLES = 320;

/** Silent frames that the browser buffers. */
const LEAD_FRAMES = 3;
/** While the socket buffers more than this (one second of audio), nothing is sent and the queue waits. */
const FULL_SOCKET_BYTES = 32_000;
/** WebRTC counts as failed after this time without sound of the browser, which sends silence as well: 2 s. */
const SILENT_WEBRTC_FRAMES = 100;

/** What happens to the audio of a leg. */
export interface BrowserMediaListener {
  /** The browser is gone without closing the connection. Called at most once. */
  onLost(): void;
  /** Nothing arrives over WebRTC any more. */
  onWebRtcSilent(): void;
}

/** See {@link SocketMedia}. */
export class BrowserMedia extends SocketMedia {
  readonly #socket: BrowserSocket;
  readonly #events: BrowserMediaListener;
  /** Samples received over the WebSocket so far; used as the timestamp that RTP would have. */
  #receivedSamples = 0;
  /** Null: the WebSocket carries the sound. */
  #webRtc: WebRtcLink | null = null;
  /** For the counters: the link that carries the sound, or has carried it. */
  #countedLink: WebRtcLink | null = null;

  constructor(socket: BrowserSocket, clock: Clock, events: BrowserMediaListener) {
    super({ sampleRateHz: BROWSER_SAMPLE_RATE_HZ, clock, onLost: () => events.onLost() });
    this.#socket = socket;
    this.#events = events;
  }

  /** From now on the link carries the sound, in both directions. */
  useWebRtc(link: WebRtcLink): void {
    this.#webRtc = link;
    this.#countedLink = link;
    this.#followNewSource();
  }

  /** From now on the WebSocket carries the sound. */
  useSocket(): void {
    if (!this.#webRtc) return;
    this.#webRtc = null;
    this.#followNewSource();
    if (this.hasStarted) this.#sendLead();
  }

  override start(): void {
    if (!this.hasStarted && !this.#webRtc) this.#sendLead();
    super.start();
  }

  /** Takes audio from the WebSocket. */
  receive(samples: Int16Array): void {
    // What was still under way when WebRTC took over was heard there too.
    if (this.#webRtc) return;
    this.hear(this.#receivedSamples, samples);
    this.#receivedSamples = (this.#receivedSamples + samples.length) >>> 0;
  }

  /** Takes audio from WebRTC. */
  receiveWebRtc({ timestamp, samples, isNewSource }: WebRtcSound): void {
    if (!this.#webRtc || !this.hasStarted) return;
    if (isNewSource) this.#followNewSource();
    this.hear(timestamp, samples);
  }

  override clear(): void {
    super.clear();
    // Over WebRTC the browser holds back some 40 ms, which it plays to their end.
    if (!this.hasStarted || this.#webRtc) return;
    this.#socket.send(JSON.stringify({ type: 'clear' }));
    this.#sendLead();
  }

  override stats(): MediaStats {
    const { packetsLost, jitterMs, far } = this.#countedLink?.stats() ?? {};
    const counts = super.stats();
    return {
      ...counts,
      packetsLost: packetsLost ?? counts.packetsLost,
      jitterMs: jitterMs ?? counts.jitterMs,
      far: far ?? counts.far,
    };
  }

  protected override isFull(): boolean {
    return !this.#webRtc && this.#socket.bufferedAmount > FULL_SOCKET_BYTES;
  }

  protected override sendFrame(frame: Int16Array, { index }: { index: number }): void {
    if (this.#webRtc) this.#webRtc.play(index, frame);
    // The frame is sent without a copy. All platforms of Node are little endian.
    else this.#socket.send(new Uint8Array(frame.buffer));
    this.packetsSent++;
  }

  protected override onFrameTime(): void {
    if (this.#webRtc && this.framesSinceHeard === SILENT_WEBRTC_FRAMES) this.#events.onWebRtcSilent();
  }

  /** The next timestamp does not continue those before; before the first sound nothing has to be joined. */
  #followNewSource(): void {
    this.framesSinceHeard = 0;
    if (this.packetsReceived > 0) this.sound.join();
  }

  #sendLead(): void {
    for (let i = 0; i < LEAD_FRAMES; i++) this.#socket.send(new Uint8Array(2 * BROWSER_FRAME_SAMPLES));
  }
}
