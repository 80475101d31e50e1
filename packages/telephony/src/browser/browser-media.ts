/**
 * The audio of a browser leg: frames of 20 ms at 16 000 Hz, paced by a separate clock wheel and sent without pause, like RTP,
 * over WebRTC or over a WebSocket. The path may change between two frames. Over the WebSocket, three frames of silence are
 * sent at the start and after every `clear`, so that the browser always buffers about 60 ms and network jitter causes no
 * gaps; over WebRTC the browser has a jitter buffer of its own.
 */
import type { Clock } from '@parley/runtime';
import type { AmbientLoop } from '../ambience.ts';
import type { MediaPort, MediaStats, MediaTick } from '../call-leg.ts';
import { PlayoutQueue } from '../playout-queue.ts';
import { ClockWheel } from '../rtp/clock-wheel.ts';
import { ReceivedSound } from '../rtp/received-sound.ts';
import type { WebRtcLink, WebRtcSound } from '../webrtc/webrtc-link.ts';
import type { BrowserSocket } from './browser-socket.ts';

/** Sample rate in both directions. */
export const BROWSER_SAMPLE_RATE_HZ = 16_000;
/** 20 ms. */
export const BROWSER_FRAME_SAMPLES = 320;

/** Silent frames that the browser buffers. */
const LEAD_FRAMES = 3;
/** A frame that is late by more than this, because the process was frozen, is not sent. */
const STALE_MS = 200;
/** While the socket buffers more than this (one second of audio), nothing is sent and the queue waits. */
const FULL_SOCKET_BYTES = 32_000;
/** Frames kept until a listener is added: 10 s. */
const LONGEST_WAIT_TICKS = 500;
/** The connection counts as lost after this time without audio from the browser or with a full socket: 20 s. */
const LOST_FRAMES = 1000;
/** WebRTC counts as failed after this time without sound of the browser, which sends silence as well: 2 s. */
const SILENT_WEBRTC_FRAMES = 100;

/** What happens to the audio of a leg. */
export interface BrowserMediaListener {
  /** The browser is gone without closing the connection. Called at most once. */
  onLost(): void;
  /** Nothing arrives over WebRTC any more. */
  onWebRtcSilent(): void;
}

/** See {@link MediaPort}. */
export class BrowserMedia implements MediaPort {
  readonly sampleRateHz = BROWSER_SAMPLE_RATE_HZ;
  readonly frameSamples = BROWSER_FRAME_SAMPLES;
  readonly #socket: BrowserSocket;
  readonly #wheel: ClockWheel;
  readonly #events: BrowserMediaListener;
  readonly #playout = new PlayoutQueue();
  readonly #sound = new ReceivedSound(BROWSER_SAMPLE_RATE_HZ);
  readonly #clock: Clock;
  readonly #counts = { packetsSent: 0, packetsReceived: 0 };
  #listener: ((tick: MediaTick) => void) | null = null;
  #waitingTicks: MediaTick[] = [];
  #index = 0;
  /** Samples received so far; used as the timestamp that RTP would have. */
  #receivedSamples = 0;
  #framesSinceHeard = 0;
  #framesSinceSent = 0;
  #leaveWheel: (() => void) | null = null;
  /** Null: the WebSocket carries the sound. */
  #webRtc: WebRtcLink | null = null;
  /** For the counters: the link that carries the sound, or has carried it. */
  #countedLink: WebRtcLink | null = null;

  constructor(socket: BrowserSocket, clock: Clock, events: BrowserMediaListener) {
    this.#socket = socket;
    this.#clock = clock;
    this.#wheel = new ClockWheel(clock, () => undefined);
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
    if (this.#leaveWheel) this.#sendLead();
  }

  /** Starts the clock. */
  start(): void {
    if (this.#leaveWheel) return;
    if (!this.#webRtc) this.#sendLead();
    this.#leaveWheel = this.#wheel.join((latenessMs) => this.#tick(latenessMs));
  }

  /** Stops the clock; no listener is called afterwards. */
  stop(): void {
    this.#leaveWheel?.();
    this.#leaveWheel = () => undefined;
    this.#listener = null;
    this.#waitingTicks = [];
  }

  /** Takes audio from the WebSocket. */
  receive(samples: Int16Array): void {
    // What was still under way when WebRTC took over was heard there too.
    if (this.#webRtc) return;
    this.#hear(this.#receivedSamples, samples);
    this.#receivedSamples = (this.#receivedSamples + samples.length) >>> 0;
  }

  /** Takes audio from WebRTC. */
  receiveWebRtc({ timestamp, samples, isNewSource }: WebRtcSound): void {
    if (!this.#webRtc || !this.#leaveWheel) return;
    if (isNewSource) this.#followNewSource();
    this.#hear(timestamp, samples);
  }

  onTick(listener: (tick: MediaTick) => void): void {
    this.#listener = listener;
    for (const tick of this.#waitingTicks.splice(0)) listener(tick);
  }

  play(turn: number, samples: Int16Array): void {
    this.#playout.push(turn, samples);
  }

  pausePlayout(): void {
    this.#playout.pause();
  }

  lowerPlayout(): void {
    this.#playout.lower();
  }

  resumePlayout(): void {
    this.#playout.resume();
  }

  clear(): void {
    this.#playout.clear({ isCutElsewhere: true });
    // Over WebRTC the browser holds back some 40 ms, which it plays to their end.
    if (!this.#leaveWheel || this.#webRtc) return;
    this.#socket.send(JSON.stringify({ type: 'clear' }));
    this.#sendLead();
  }

  setAmbience(loop: AmbientLoop | null): void {
    this.#playout.setAmbience(loop);
  }

  stats(): MediaStats {
    const { packetsLost = 0, jitterMs = 0, far = null } = this.#countedLink?.stats() ?? {};
    return { ...this.#counts, packetsLost, jitterMs, concealedFrames: this.#sound.concealedFrames, far };
  }

  #hear(timestamp: number, samples: Int16Array): void {
    this.#framesSinceHeard = 0;
    this.#counts.packetsReceived++;
    this.#sound.put(timestamp, samples, this.#clock.monotonic());
  }

  /** The next timestamp does not continue those before; before the first sound nothing has to be joined. */
  #followNewSource(): void {
    this.#framesSinceHeard = 0;
    if (this.#counts.packetsReceived > 0) this.#sound.join();
  }

  #sendLead(): void {
    for (let i = 0; i < LEAD_FRAMES; i++) this.#socket.send(new Uint8Array(2 * BROWSER_FRAME_SAMPLES));
  }

  #tick(latenessMs: number): void {
    const isOnTime = latenessMs <= STALE_MS;
    const received = new Int16Array(BROWSER_FRAME_SAMPLES);
    const sent = new Int16Array(BROWSER_FRAME_SAMPLES);
    const isConcealed = this.#sound.take(received, this.#clock.monotonic() - latenessMs);
    const taken = this.#send(sent, isOnTime);
    this.#deliver({
      index: this.#index++,
      received,
      isConcealed,
      sent,
      sentTurn: taken.turn,
      sentSamples: taken.samples,
      receivedAgoMs: 0,
      queuedSamples: this.#playout.queuedSamples,
    });
    this.#watch(isOnTime);
  }

  #send(frame: Int16Array, isOnTime: boolean): { turn: number; samples: number } {
    const isFull = !this.#webRtc && this.#socket.bufferedAmount > FULL_SOCKET_BYTES;
    if (!isOnTime || isFull) {
      this.#framesSinceSent++;
      return { turn: 0, samples: 0 };
    }
    this.#framesSinceSent = 0;
    const taken = this.#playout.takeInto(frame);
    if (this.#webRtc) this.#webRtc.play(this.#index, frame);
    // The frame is sent without a copy: readers of the tick do not write into it. All platforms of Node are little endian.
    else this.#socket.send(new Uint8Array(frame.buffer));
    this.#counts.packetsSent++;
    return taken;
  }

  #deliver(tick: MediaTick): void {
    if (this.#listener) {
      this.#listener(tick);
      return;
    }
    this.#waitingTicks.push(tick);
    if (this.#waitingTicks.length > LONGEST_WAIT_TICKS) this.#waitingTicks.shift();
  }

  #watch(isOnTime: boolean): void {
    if (isOnTime) this.#framesSinceHeard++;
    if (this.#webRtc && this.#framesSinceHeard === SILENT_WEBRTC_FRAMES) this.#events.onWebRtcSilent();
    if (this.#framesSinceHeard === LOST_FRAMES || this.#framesSinceSent === LOST_FRAMES)
      this.#events.onLost();
  }
}
