/**
 * The audio of a call that a carrier streams to us: mono Int16 at 8000 Hz in frames of 20 ms, paced by our own clock. The
 * carrier plays what it gets and is silent where it gets nothing, so that silence is not sent. Three frames of silence precede
 * sound, so that the carrier always holds about 60 ms and uneven intervals cause no gaps. Marks tell how much was played: when
 * the carrier holds back more than two seconds, our queue waits, so that an interruption and the playout position stay exact
 * to the marks.
 */
import { decodeG711, encodeG711 } from '@parley/audio';
import type { Clock } from '@parley/runtime';
import type { MediaStats } from '../call-leg.ts';
import type { PlayoutFrame } from '../playout-queue.ts';
import { ToneSender } from '../rtp/tone-sender.ts';
import { SocketMedia } from '../socket-media.ts';
import type { CarrierStreamStart } from './carrier-protocol.ts';
import type { CarrierStream } from './carrier-stream.ts';

/** Silent frames before sound that begins. */
const LEAD_FRAMES = 3;
/** Nothing is sent while more than this waits in the socket, bytes: about a second of sound. */
const FULL_SOCKET_BYTES = 16_000;
/** Frames between two marks: half a second. */
const MARK_FRAMES = 25;
/** Nothing is sent while more frames than these were not played, by the marks: two seconds. */
const MOST_UNPLAYED_FRAMES = 100;
const MARK_NAME = /^played (\d{1,9})$/;

/** See {@link SocketMedia}. */
export class CarrierMedia extends SocketMedia {
  readonly #stream: CarrierStream;
  readonly #streamSid: string;
  readonly #codec: CarrierStreamStart['codec'];
  /** Where the newest sound of the caller begins, in samples. */
  #newestAt = 0;
  #newestChunk: number | null = null;
  /** Where sound begins that comes in order. */
  #receivedSamples = 0;
  /** Frames that the carrier has and has not played yet, by our clock. */
  #aheadFrames = 0;
  /** Frames that were sent, and of these, those that were played or dropped by the marks. */
  #sentFrames = 0;
  #playedFrames = 0;
  #onPlayed: (() => void) | null = null;
  readonly #tones: ToneSender;

  /** @param onLost - called at most once, when the carrier is gone without closing the connection */
  constructor(
    stream: CarrierStream,
    { streamSid, codec }: CarrierStreamStart,
    { clock, onLost }: { clock: Clock; onLost: () => void },
  ) {
    super({ sampleRateHz: 8000, clock, onLost });
    this.#stream = stream;
    this.#streamSid = streamSid;
    this.#codec = codec;
    this.#tones = new ToneSender(this.sampleRateHz);
  }

  /** Sends keys as tones, before what is queued: the protocols have no message for them. */
  sendKeys(digits: string): void {
    this.#tones.push(digits);
  }

  /** Takes sound of the carrier. @param chunk - its place among the frames of the caller; null: after what came before it */
  receive(payload: Uint8Array, chunk: number | null): void {
    const samples = new Int16Array(payload.length);
    decodeG711(this.#codec, payload, samples);
    this.hear(chunk === null ? this.#receivedSamples : this.#placeOf(chunk, samples.length), samples);
    this.#receivedSamples = (this.#receivedSamples + samples.length) >>> 0;
  }

  /**
   * The timestamp that RTP would have: those of the carrier are whole milliseconds and uneven. Frames are of one length; the
   * number of a frame says where it belongs when one before it is late, or is lost.
   */
  #placeOf(chunk: number, samples: number): number {
    const ahead = chunk - (this.#newestChunk ?? chunk);
    const at = (this.#newestAt + ahead * samples) >>> 0;
    if (ahead >= 0) [this.#newestAt, this.#newestChunk] = [at, chunk];
    return at;
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
    const limit = this.clock.after(limitMs, played.resolve);
    this.#mark();
    await played.promise;
    limit.cancel();
  }

  /** The connection has ended: nothing more will be played. */
  giveUp(): void {
    this.#onPlayed?.();
  }

  override clear(): void {
    super.clear();
    // What the carrier holds while keys are sent is keys.
    if (!this.hasStarted || this.#tones.isSending) return;
    this.#stream.send(this.#stream.protocol.writeClear(this.#streamSid));
    this.#aheadFrames = 0;
    this.#playedFrames = this.#sentFrames;
  }

  override stats(): MediaStats {
    return { ...super.stats(), codec: this.#codec };
  }

  protected override isFull(): boolean {
    const isBehind = this.#sentFrames - this.#playedFrames > MOST_UNPLAYED_FRAMES;
    return isBehind || this.#stream.bufferedAmount > FULL_SOCKET_BYTES;
  }

  protected override sendFrame(frame: Int16Array, { taken }: { taken: PlayoutFrame }): void {
    if (taken.samples === 0 && frame.every((sample) => sample === 0)) return;
    if (this.#aheadFrames === 0)
      for (let lead = 0; lead < LEAD_FRAMES; lead++) this.#give(new Int16Array(this.frameSamples));
    this.#give(frame);
  }

  protected override takeFirst(frame: Int16Array): boolean {
    return this.#tones.takeInto(frame);
  }

  protected override onFrameTime(): void {
    this.#aheadFrames = Math.max(0, this.#aheadFrames - 1);
  }

  #give(frame: Int16Array): void {
    const payload = new Uint8Array(frame.length);
    encodeG711('PCMU', frame, payload);
    this.#stream.send(this.#stream.protocol.writeMedia(this.#streamSid, payload));
    this.packetsSent++;
    this.#aheadFrames++;
    this.#sentFrames++;
    if (this.#sentFrames % MARK_FRAMES === 0) this.#mark();
  }

  #mark(): void {
    this.#stream.send(this.#stream.protocol.writeMark(this.#streamSid, `played ${this.#sentFrames}`));
  }
}
