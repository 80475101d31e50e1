/**
 * The audio of a leg whose far end is at the other end of a socket: frames of 20 ms, paced by our own clock wheel. What
 * arrives goes through the buffer that RTP uses. The subclasses say how a frame is sent, and when it has to wait.
 */
import type { Clock } from '@parley/runtime';
import type { AmbientLoop } from './ambience.ts';
import type { MediaPort, MediaStats, MediaTick } from './call-leg.ts';
import { MediaTicks } from './media-ticks.ts';
import { PlayoutQueue, type PlayoutFrame } from './playout-queue.ts';
import { ClockWheel } from './rtp/clock-wheel.ts';
import { ReceivedSound } from './rtp/received-sound.ts';

/** A frame that is late by more than this, because the process was frozen, is not sent. */
const STALE_MS = 200;
/** The connection counts as lost after this time without audio from the far end, or with a queue that waits: 20 s. */
const LOST_FRAMES = 1000;

const FRAMES_PER_SECOND = 50;

/** The parameters of the media of a leg over a socket. */
export interface SocketMediaOptions {
  sampleRateHz: 8000 | 16_000;
  clock: Clock;
  /** The far end is gone without closing the connection. Called at most once. */
  onLost: () => void;
}

/** See {@link MediaPort}. */
export abstract class SocketMedia implements MediaPort {
  readonly sampleRateHz: 8000 | 16_000;
  readonly frameSamples: number;
  protected readonly sound: ReceivedSound;
  protected packetsSent = 0;
  protected packetsReceived = 0;
  /** On-time frames since audio arrived. */
  protected framesSinceHeard = 0;
  protected readonly clock: Clock;
  readonly #playout = new PlayoutQueue();
  readonly #ticks = new MediaTicks();
  readonly #wheel: ClockWheel;
  readonly #onLost: () => void;
  #index = 0;
  #framesSinceSent = 0;
  #leaveWheel: (() => void) | null = null;

  constructor({ sampleRateHz, clock, onLost }: SocketMediaOptions) {
    this.sampleRateHz = sampleRateHz;
    this.frameSamples = sampleRateHz / FRAMES_PER_SECOND;
    this.sound = new ReceivedSound(sampleRateHz);
    this.clock = clock;
    this.#wheel = new ClockWheel(clock, () => undefined);
    this.#onLost = onLost;
  }

  /** True from the start of the clock on. */
  protected get hasStarted(): boolean {
    return this.#leaveWheel !== null;
  }

  /** Starts the clock. */
  start(): void {
    this.#leaveWheel ??= this.#wheel.join((latenessMs) => this.#tick(latenessMs));
  }

  /** Stops the clock; no listener is called afterwards. */
  stop(): void {
    this.#leaveWheel?.();
    this.#leaveWheel = () => undefined;
    this.#ticks.stop();
  }

  onTick(listener: (tick: MediaTick) => void): void {
    this.#ticks.listen(listener);
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

  /** Empties the queue. Subclasses also empty what the far end holds. */
  clear(): void {
    this.#playout.clear({ isCutElsewhere: true });
  }

  setAmbience(loop: AmbientLoop | null): void {
    this.#playout.setAmbience(loop);
  }

  stats(): MediaStats {
    const { concealedFrames } = this.sound;
    const { packetsSent, packetsReceived } = this;
    return { packetsSent, packetsReceived, packetsLost: 0, jitterMs: 0, concealedFrames, far: null };
  }

  /** True while the queue has to wait, because the far end does not keep up. */
  protected abstract isFull(): boolean;

  /** Sends a frame; the readers of the tick do not write into it. @param at - its index in the call, and what it contains */
  protected abstract sendFrame(frame: Int16Array, at: { index: number; taken: PlayoutFrame }): void;

  /** Takes audio of the far end. */
  protected hear(timestamp: number, samples: Int16Array): void {
    this.framesSinceHeard = 0;
    this.packetsReceived++;
    this.sound.put(timestamp, samples, this.clock.monotonic());
  }

  /** Fills a frame with what goes before the queue, which then waits; false if there is nothing. */
  protected takeFirst(_frame: Int16Array): boolean {
    return false;
  }

  /** Called once for each frame time, before anything is sent. */
  protected onFrameTime(): void {}

  #tick(latenessMs: number): void {
    const isOnTime = latenessMs <= STALE_MS;
    const received = new Int16Array(this.frameSamples);
    const sent = new Int16Array(this.frameSamples);
    const isConcealed = this.sound.take(received, this.clock.monotonic() - latenessMs);
    this.onFrameTime();
    const taken = this.#send(sent, isOnTime);
    this.#ticks.deliver({
      index: this.#index++,
      received,
      isConcealed,
      sent,
      sentTurn: taken.turn,
      sentSamples: taken.samples,
      receivedAgoMs: 0,
      queuedSamples: this.#playout.queuedSamples,
    });
    if (isOnTime) this.framesSinceHeard++;
    if (this.framesSinceHeard === LOST_FRAMES || this.#framesSinceSent === LOST_FRAMES) this.#onLost();
  }

  #send(frame: Int16Array, isOnTime: boolean): PlayoutFrame {
    if (!isOnTime || this.isFull()) {
      this.#framesSinceSent++;
      return { turn: 0, samples: 0 };
    }
    this.#framesSinceSent = 0;
    const taken = this.takeFirst(frame) ? { turn: 0, samples: 0 } : this.#playout.takeInto(frame);
    this.sendFrame(frame, { index: this.#index, taken });
    return taken;
  }
}
