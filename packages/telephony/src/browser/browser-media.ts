/**
 * The audio of a browser leg: frames of 20 ms at 16 000 Hz over a WebSocket, paced by a separate clock wheel and sent
 * without pause, like RTP. Three frames of silence are sent at the start and after every `clear`, so that the browser
 * always buffers about 60 ms and network jitter causes no gaps.
 */
import type { Clock } from '@parley/runtime';
import type { AmbientLoop } from '../ambience.ts';
import type { MediaPort, MediaStats, MediaTick } from '../call-leg.ts';
import { PlayoutQueue } from '../playout-queue.ts';
import { ClockWheel } from '../rtp/clock-wheel.ts';
import { ReceivedSound } from '../rtp/received-sound.ts';
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

/** See {@link MediaPort}. */
export class BrowserMedia implements MediaPort {
  readonly sampleRateHz = BROWSER_SAMPLE_RATE_HZ;
  readonly frameSamples = BROWSER_FRAME_SAMPLES;
  readonly #socket: BrowserSocket;
  readonly #wheel: ClockWheel;
  readonly #onLost: () => void;
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

  /** @param onLost - called at most once, when the browser is gone without closing the connection */
  constructor(socket: BrowserSocket, clock: Clock, onLost: () => void) {
    this.#socket = socket;
    this.#clock = clock;
    this.#wheel = new ClockWheel(clock, () => undefined);
    this.#onLost = onLost;
  }

  /** Starts the clock. */
  start(): void {
    if (this.#leaveWheel) return;
    this.#sendLead();
    this.#leaveWheel = this.#wheel.join((latenessMs) => this.#tick(latenessMs));
  }

  /** Stops the clock; no listener is called afterwards. */
  stop(): void {
    this.#leaveWheel?.();
    this.#leaveWheel = () => undefined;
    this.#listener = null;
    this.#waitingTicks = [];
  }

  /** Takes audio from the browser. */
  receive(samples: Int16Array): void {
    this.#framesSinceHeard = 0;
    this.#counts.packetsReceived++;
    this.#sound.put(this.#receivedSamples, samples, this.#clock.monotonic());
    this.#receivedSamples = (this.#receivedSamples + samples.length) >>> 0;
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
    if (!this.#leaveWheel) return;
    this.#socket.send(JSON.stringify({ type: 'clear' }));
    this.#sendLead();
  }

  setAmbience(loop: AmbientLoop | null): void {
    this.#playout.setAmbience(loop);
  }

  stats(): MediaStats {
    return {
      ...this.#counts,
      packetsLost: 0,
      jitterMs: 0,
      concealedFrames: this.#sound.concealedFrames,
      far: null,
    };
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
    if (!isOnTime || this.#socket.bufferedAmount > FULL_SOCKET_BYTES) {
      this.#framesSinceSent++;
      return { turn: 0, samples: 0 };
    }
    this.#framesSinceSent = 0;
    const taken = this.#playout.takeInto(frame);
    // The frame is sent without a copy: readers of the tick do not write into it. All platforms of Node are little endian.
    this.#socket.send(new Uint8Array(frame.buffer));
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
    if (this.#framesSinceHeard === LOST_FRAMES || this.#framesSinceSent === LOST_FRAMES) this.#onLost();
  }
}
