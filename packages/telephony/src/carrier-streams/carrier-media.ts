/**
 * The audio of a call that a carrier streams to us: mono Int16 at 8000 Hz in frames of 20 ms, paced by our own clock. The
 * carrier plays what it gets and is silent where it gets nothing, so that silence is not sent. Three frames of silence precede
 * sound, so that the carrier always holds about 60 ms and uneven intervals cause no gaps. Marks tell how much was played: when
 * the carrier holds back more than two seconds, our queue waits, so that an interruption and the playout position stay exact
 * to the marks.
 */
import { decodeG711, encodeG711 } from '@parley/audio';
import type { Clock } from '@parley/runtime';
import type { AmbientLoop } from '../ambience.ts';
import type { MediaPort, MediaStats, MediaTick } from '../call-leg.ts';
import { PlayoutQueue, type PlayoutFrame } from '../playout-queue.ts';
import { ClockWheel } from '../rtp/clock-wheel.ts';
import { ReceivedSound } from '../rtp/received-sound.ts';
import { writeClear, writeMark, writeMedia } from './carrier-messages.ts';
import type { CarrierStream } from './carrier-stream.ts';

const SAMPLE_RATE_HZ = 8000;
/** 20 ms. */
const FRAME_SAMPLES = 160;
/** Silent frames before sound that begins. */
const LEAD_FRAMES = 3;
/** A frame that is late by more than this, because the process was frozen, is not sent. */
const STALE_MS = 200;
/** Nothing is sent while more than this waits in the socket, bytes: about a second of sound. */
const FULL_SOCKET_BYTES = 16_000;
/** Frames between two marks: half a second. */
const MARK_FRAMES = 25;
/** Nothing is sent while more frames than these were not played, by the marks: two seconds. */
const MOST_UNPLAYED_FRAMES = 100;
/** Frames kept until a listener is added: 10 s. */
const LONGEST_WAIT_TICKS = 500;
/** The connection counts as lost after this time without sound of the carrier, which also sends silence: 20 s. */
const LOST_FRAMES = 1000;
const MARK_NAME = /^played (\d{1,9})$/;

/** See {@link MediaPort}. */
export class CarrierMedia implements MediaPort {
  readonly sampleRateHz = SAMPLE_RATE_HZ;
  readonly frameSamples = FRAME_SAMPLES;
  readonly #stream: CarrierStream;
  readonly #streamSid: string;
  readonly #clock: Clock;
  readonly #wheel: ClockWheel;
  readonly #onLost: () => void;
  readonly #playout = new PlayoutQueue();
  readonly #sound = new ReceivedSound(SAMPLE_RATE_HZ);
  readonly #counts = { packetsSent: 0, packetsReceived: 0 };
  #listener: ((tick: MediaTick) => void) | null = null;
  #waitingTicks: MediaTick[] = [];
  #index = 0;
  /** Used as the timestamp that RTP would have: those of the carrier are whole milliseconds and uneven. */
  #receivedSamples = 0;
  #framesSinceHeard = 0;
  #framesSinceSent = 0;
  /** Frames that the carrier has and has not played yet, by our clock. */
  #aheadFrames = 0;
  /** Frames that were sent, and of these, those that were played or dropped by the marks. */
  #sentFrames = 0;
  #playedFrames = 0;
  #onPlayed: (() => void) | null = null;
  #leaveWheel: (() => void) | null = null;

  /** @param onLost - called at most once, when the carrier is gone without closing the connection */
  constructor(
    stream: CarrierStream,
    streamSid: string,
    { clock, onLost }: { clock: Clock; onLost: () => void },
  ) {
    this.#stream = stream;
    this.#streamSid = streamSid;
    this.#clock = clock;
    this.#wheel = new ClockWheel(clock, () => undefined);
    this.#onLost = onLost;
  }

  /** Starts the clock. */
  start(): void {
    this.#leaveWheel ??= this.#wheel.join((latenessMs) => this.#tick(latenessMs));
  }

  /** Stops the clock; no listener is called afterwards. */
  stop(): void {
    this.#leaveWheel?.();
    this.#leaveWheel = () => undefined;
    this.#listener = null;
    this.#waitingTicks = [];
  }

  /** Takes sound of the carrier. */
  receive(payload: Uint8Array): void {
    const samples = new Int16Array(payload.length);
    decodeG711('PCMU', payload, samples);
    this.#framesSinceHeard = 0;
    this.#counts.packetsReceived++;
    this.#sound.put(this.#receivedSamples, samples, this.#clock.monotonic());
    this.#receivedSamples = (this.#receivedSamples + samples.length) >>> 0;
  }

  /** Takes a mark of the carrier. */
  played(name: string): void {
    const frames = Number(MARK_NAME.exec(name)?.[1] ?? 0);
    if (frames > this.#sentFrames) return;
    this.#playedFrames = Math.max(this.#playedFrames, frames);
    if (this.#playedFrames === this.#sentFrames) this.#onPlayed?.();
  }

  /** @param limitMs - how long to wait @returns when the carrier has played everything that was sent */
  async untilPlayed(limitMs: number): Promise<void> {
    if (this.#playedFrames === this.#sentFrames) return;
    const played = Promise.withResolvers<void>();
    this.#onPlayed = played.resolve;
    const limit = this.#clock.after(limitMs, played.resolve);
    this.#mark();
    await played.promise;
    limit.cancel();
  }

  /** The connection has ended: nothing more will be played. */
  giveUp(): void {
    this.#onPlayed?.();
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
    this.#stream.send(writeClear(this.#streamSid));
    this.#aheadFrames = 0;
    this.#playedFrames = this.#sentFrames;
  }

  setAmbience(loop: AmbientLoop | null): void {
    this.#playout.setAmbience(loop);
  }

  stats(): MediaStats {
    const { concealedFrames } = this.#sound;
    return { ...this.#counts, packetsLost: 0, jitterMs: 0, concealedFrames, codec: 'PCMU', far: null };
  }

  #tick(latenessMs: number): void {
    const isOnTime = latenessMs <= STALE_MS;
    const received = new Int16Array(FRAME_SAMPLES);
    const sent = new Int16Array(FRAME_SAMPLES);
    const isConcealed = this.#sound.take(received, this.#clock.monotonic() - latenessMs);
    this.#aheadFrames = Math.max(0, this.#aheadFrames - 1);
    const taken = isOnTime ? this.#send(sent) : this.#wait();
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

  #send(frame: Int16Array): PlayoutFrame {
    const isBehind = this.#sentFrames - this.#playedFrames > MOST_UNPLAYED_FRAMES;
    if (isBehind || this.#stream.bufferedAmount > FULL_SOCKET_BYTES) return this.#wait();
    this.#framesSinceSent = 0;
    const taken = this.#playout.takeInto(frame);
    if (taken.samples === 0 && frame.every((sample) => sample === 0)) return taken;
    if (this.#aheadFrames === 0)
      for (let lead = 0; lead < LEAD_FRAMES; lead++) this.#give(new Int16Array(FRAME_SAMPLES));
    this.#give(frame);
    return taken;
  }

  #give(frame: Int16Array): void {
    const payload = new Uint8Array(FRAME_SAMPLES);
    encodeG711('PCMU', frame, payload);
    this.#stream.send(writeMedia(this.#streamSid, payload));
    this.#counts.packetsSent++;
    this.#aheadFrames++;
    this.#sentFrames++;
    if (this.#sentFrames % MARK_FRAMES === 0) this.#mark();
  }

  #mark(): void {
    this.#stream.send(writeMark(this.#streamSid, `played ${this.#sentFrames}`));
  }

  /** The queue waits. */
  #wait(): PlayoutFrame {
    this.#framesSinceSent++;
    return { turn: 0, samples: 0 };
  }

  #deliver(tick: MediaTick): void {
    if (this.#listener) return this.#listener(tick);
    this.#waitingTicks.push(tick);
    if (this.#waitingTicks.length > LONGEST_WAIT_TICKS) this.#waitingTicks.shift();
  }

  #watch(isOnTime: boolean): void {
    if (isOnTime) this.#framesSinceHeard++;
    if (this.#framesSinceHeard === LOST_FRAMES || this.#framesSinceSent === LOST_FRAMES) this.#onLost();
  }
}
