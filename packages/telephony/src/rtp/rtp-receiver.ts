/**
 * The receiving side of one stream: which datagrams count, what they hold, and one frame of sound every 20 ms. What does
 * not belong to the call (other sources, other payload types, damaged packets) is counted and dropped.
 */
import { decodeG711, type G711Codec } from '@parley/audio';
import { DtmfReceiver, type KeyPress } from './dtmf-receiver.ts';
import { ReceivedSound } from './received-sound.ts';
import { ReceptionStatistics } from './reception-statistics.ts';
import { parseRtp, type RtpPacket } from './rtp-packet.ts';
import { SourceLatch, type Address } from './source-latch.ts';

/** Comfort noise (RFC 3389): a sign of life without sound in it. */
const COMFORT_NOISE = 13;
/** 200 ms of G.711; nobody sends longer packets. */
const LONGEST_PAYLOAD = 1600;

/** What to listen for. */
export interface ReceiverTarget {
  remoteHost: string;
  remotePort: number;
  codec: G711Codec;
  payloadType: number;
  telephoneEventPayloadType: number | null;
  /** False on hold: nothing is heard. */
  isHearing: boolean;
}

/** Receives one stream. */
export class RtpReceiver {
  readonly statistics: ReceptionStatistics;
  readonly #latch = new SourceLatch();
  readonly #sound: ReceivedSound;
  readonly #dtmf: DtmfReceiver;
  readonly #decoded = new Int16Array(LONGEST_PAYLOAD);
  #target: ReceiverTarget | null = null;
  #ssrc: number | null = null;
  #droppedPackets = 0;
  #framesSinceHeard = 0;

  constructor({ sampleRateHz, onKey }: { sampleRateHz: number; onKey: (key: KeyPress) => void }) {
    this.statistics = new ReceptionStatistics(sampleRateHz);
    this.#sound = new ReceivedSound(sampleRateHz);
    this.#dtmf = new DtmfReceiver(sampleRateHz, onKey);
  }

  /** Where our packets have to go: back to where the sound comes from. */
  get source(): Address | null {
    return this.#latch.target;
  }

  /** The stream being heard; `null` before its first packet. */
  get ssrc(): number | null {
    return this.#ssrc;
  }

  /** Datagrams that did not belong to the call. */
  get droppedPackets(): number {
    return this.#droppedPackets;
  }

  /** Frames' worth of sound made up since the first packet came. */
  get concealedFrames(): number {
    return this.#sound.concealedFrames;
  }

  /** Frames of 20 ms since the last packet, not counting those in which we did not listen. */
  get framesSinceHeard(): number {
    return this.#framesSinceHeard;
  }

  /** Listens for something else from now on; the source has to show itself again. */
  listen(target: ReceiverTarget): void {
    this.#target = target;
    this.#latch.reset({ host: target.remoteHost, port: target.remotePort });
    this.#forgetStream();
    this.#framesSinceHeard = 0;
  }

  /** @param arrivalMs - monotonic */
  receive(datagram: Uint8Array, from: Address, arrivalMs: number): void {
    const packet = parseRtp(datagram);
    const target = this.#target;
    if (
      !packet ||
      !target?.isHearing ||
      !this.#belongs(packet, target) ||
      !this.#latch.accepts(from.host, from.port)
    ) {
      this.#droppedPackets++;
      return;
    }
    this.#framesSinceHeard = 0;
    if (packet.ssrc !== this.#ssrc) this.#followNewStream(packet.ssrc);
    this.statistics.count(packet.sequence);
    if (packet.payloadType === target.telephoneEventPayloadType)
      this.#dtmf.receive(packet.timestamp, packet.payload);
    if (packet.payloadType === target.payloadType) this.#hear(packet, target.codec, arrivalMs);
  }

  /**
   * Gives the next 20 ms of sound.
   *
   * @param due - when they were due; `isOnTime` is false when the thread was frozen: such a frame says nothing about the
   *   far end's silence
   * @returns whether at least half of them is made up
   */
  take(frame: Int16Array, due: { tickMs: number; isOnTime: boolean }): boolean {
    if (this.#target?.isHearing && due.isOnTime) this.#framesSinceHeard++;
    this.#dtmf.tick();
    return this.#sound.take(frame, due.tickMs);
  }

  /**
   * How long ago the end of the frame that was taken last came in, milliseconds; 0 before the first.
   *
   * @param nowMs - monotonic
   */
  heldMs(nowMs: number): number {
    return this.#sound.heldMs(nowMs);
  }

  #belongs(packet: RtpPacket, target: ReceiverTarget): boolean {
    const { payloadType, payload } = packet;
    if (payloadType === target.payloadType) return payload.length > 0 && payload.length <= LONGEST_PAYLOAD;
    return payloadType === target.telephoneEventPayloadType || payloadType === COMFORT_NOISE;
  }

  #hear(packet: RtpPacket, codec: G711Codec, arrivalMs: number): void {
    const samples = this.#decoded.subarray(0, packet.payload.length);
    decodeG711(codec, packet.payload, samples);
    this.statistics.observeArrival(packet.timestamp, arrivalMs);
    this.#sound.put(packet.timestamp, samples, arrivalMs);
  }

  /** A far end that changes its SSRC in mid-call (a transfer, a restarted gateway) starts a new count of everything. */
  #followNewStream(ssrc: number): void {
    if (this.#ssrc !== null) this.#startCounts();
    this.#sound.join();
    this.#ssrc = ssrc;
  }

  #forgetStream(): void {
    if (this.#ssrc !== null) this.#startCounts();
    this.#ssrc = null;
    this.#sound.reset();
  }

  #startCounts(): void {
    this.statistics.restart();
    this.#dtmf.reset();
  }
}
