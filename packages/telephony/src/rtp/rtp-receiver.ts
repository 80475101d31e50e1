/**
 * The receiving side of one stream: accepts the datagrams of the call, decodes them, and returns one frame of audio every
 * 20 ms. Other datagrams (other sources, other payload types, malformed packets) are counted and dropped.
 */
import { DtmfDetector } from '@parley/audio';
import type { Codec, MediaEncryption, ReceivedFormat } from '@parley/sip';
import { openCodec, type AudioCodec, type LegRateHz } from './audio-codec.ts';
import { DtmfReceiver, type KeyPress } from './dtmf-receiver.ts';
import { ReceivedSound } from './received-sound.ts';
import { ReceptionStatistics } from './reception-statistics.ts';
import { parseRtp, type RtpPacket } from './rtp-packet.ts';
import { SourceLatch, type Address } from './source-latch.ts';
import { TimestampScale } from './timestamp-scale.ts';

/** Comfort noise (RFC 3389): shows that the far end is alive, but contains no audio. */
const COMFORT_NOISE = 13;
/** The largest payload of a packet; longer ones are dropped. */
const LONGEST_PAYLOAD = 1600;

/** A packet that is behind by more may belong to a restarted stream (RFC 3550 appendix A.1). */
const MAX_MISORDER = 100;

/** The stream to receive. */
export interface ReceiverTarget {
  remoteHost: string;
  remotePort: number;
  signallingHost?: string | undefined;
  codec: Codec;
  payloadType: number;
  telephoneEventPayloadType: number | null;
  telephoneEventClockRateHz?: number | undefined;
  /** A payload type in it means that, also where it is one of those above. */
  alsoReceived?: readonly ReceivedFormat[] | undefined;
  /** Its key tells one far end from another; absent for plain RTP. */
  encryption?: Pick<MediaEncryption, 'remoteKey'> | undefined;
  /** False on hold: nothing is received. */
  isHearing: boolean;
}

/** The clock of events where none is agreed. */
const EVENT_RATE_HZ = 8000;

/** Receives one stream. */
export class RtpReceiver {
  readonly statistics: ReceptionStatistics;
  readonly #latch = new SourceLatch();
  readonly #sound: ReceivedSound;
  readonly #dtmf: DtmfReceiver;
  readonly #tones: DtmfDetector;
  readonly #sampleRateHz: LegRateHz;
  readonly #scale = new TimestampScale();
  #codec: AudioCodec | null = null;
  /** The codecs of {@link ReceiverTarget.alsoReceived} that were heard. */
  readonly #otherCodecs = new Map<Codec, AudioCodec>();
  /** The sequence number of the newest decoded packet; null before the first. */
  #newestSequence: number | null = null;
  /** The sequence number after the latest one that came too late. */
  #restartSequence: number | null = null;
  #target: ReceiverTarget | null = null;
  #ssrc: number | null = null;
  #droppedPackets = 0;
  #rejectedPackets = 0;
  #framesSinceHeard = 0;

  constructor({ sampleRateHz, onKey }: { sampleRateHz: LegRateHz; onKey: (key: KeyPress) => void }) {
    this.#sampleRateHz = sampleRateHz;
    this.statistics = new ReceptionStatistics(sampleRateHz);
    this.#sound = new ReceivedSound(sampleRateHz);
    this.#dtmf = new DtmfReceiver(sampleRateHz, onKey);
    this.#tones = new DtmfDetector(sampleRateHz, onKey);
  }

  /** The destination of our packets: the source of the received ones (symmetric RTP). */
  get source(): Address | null {
    return this.#latch.target;
  }

  /** The SSRC of the received stream; `null` before its first packet. */
  get ssrc(): number | null {
    return this.#ssrc;
  }

  /** The number of datagrams that did not belong to the call. */
  get droppedPackets(): number {
    return this.#droppedPackets;
  }

  /** Those of them whose source did not belong to the call, or that were not authentic. */
  get rejectedPackets(): number {
    return this.#rejectedPackets;
  }

  /** The amount of concealment since the first packet, in frames. */
  get concealedFrames(): number {
    return this.#sound.concealedFrames;
  }

  /** Frames of 20 ms since the last packet of RTP or RTCP, not counting time on hold. */
  get framesSinceHeard(): number {
    return this.#framesSinceHeard;
  }

  /**
   * Changes the stream to receive; the source has to be verified again. A session refresh repeats the same description
   * (RFC 3264 section 8: "If the version in the origin line does not increment, the SDP MUST be identical to the SDP with
   * that version number"), and the stream continues without a gap.
   */
  listen(target: ReceiverTarget, codec: AudioCodec): void {
    const isRefresh = this.#target !== null && isSameStream(this.#target, target);
    this.#target = target;
    this.#codec = codec;
    if (isRefresh) return;
    this.#useClock(codec);
    this.#dtmf.clockRateHz = target.telephoneEventClockRateHz ?? EVENT_RATE_HZ;
    const { remoteHost: host, remotePort: port, signallingHost } = target;
    this.#latch.reset({ host, port, signallingHost });
    this.#forgetStream();
    this.#framesSinceHeard = 0;
  }

  /** A report arrived from `host`: the far end is alive if that is the host of the stream. */
  noteLife(host: string): void {
    if (host === this.source?.host) this.#framesSinceHeard = 0;
  }

  /** Counts a datagram that was not authentic. */
  reject(): void {
    this.#droppedPackets++;
    this.#rejectedPackets++;
  }

  /** @param arrivalMs - monotonic */
  receive(datagram: Uint8Array, from: Address, arrivalMs: number): void {
    const packet = parseRtp(datagram);
    const target = this.#target;
    const content = packet && target?.isHearing ? contentOf(packet, target) : null;
    if (!packet || content === null) {
      this.#droppedPackets++;
      return;
    }
    if (!this.#latch.accepts(from.host, from.port)) {
      this.reject();
      return;
    }
    this.#framesSinceHeard = 0;
    if (packet.ssrc !== this.#ssrc) this.#followNewStream(packet.ssrc);
    this.statistics.count(packet.sequence);
    if (content === 'events') this.#dtmf.receive(packet.timestamp, packet.payload);
    else if (content !== 'noise') this.#hear(packet, this.#codecFor(content), arrivalMs);
  }

  /**
   * Reads the next 20 ms of audio.
   *
   * @param due - when they were due; `isOnTime` is false when the thread was frozen: such a frame does not count as silence
   *   of the far end
   * @returns whether at least half of them is concealment
   */
  take(frame: Int16Array, due: { tickMs: number; isOnTime: boolean }): boolean {
    if (this.#target?.isHearing && due.isOnTime) this.#framesSinceHeard++;
    this.#latch.tick();
    this.#dtmf.tick();
    const isConcealed = this.#sound.take(frame, due.tickMs);
    // A far end that supports events sends its keys as events only, so that its audio needs no search.
    if (this.#target?.telephoneEventPayloadType === null) this.#tones.hear(frame);
    return isConcealed;
  }

  /**
   * Time since the end of the last frame arrived, milliseconds; 0 before the first.
   *
   * @param nowMs - monotonic
   */
  heldMs(nowMs: number): number {
    return this.#sound.heldMs(nowMs);
  }

  #codecFor(codec: Codec): AudioCodec | null {
    if (codec === this.#target?.codec) return this.#codec;
    const open = this.#otherCodecs.get(codec) ?? openCodec({ codec }, this.#sampleRateHz);
    this.#otherCodecs.set(codec, open);
    return open;
  }

  #hear(packet: RtpPacket, codec: AudioCodec | null, arrivalMs: number): void {
    if (!codec || this.#isTooLate(packet, codec)) return;
    if (codec.clockRateHz !== this.statistics.clockRateHz) this.#followClock(codec);
    this.statistics.observeArrival(packet.timestamp, arrivalMs);
    const timestamp = this.#scale.toSamples(packet.timestamp);
    if (this.#isAfterGap(packet)) this.#repair(codec, packet, { timestamp, arrivalMs });
    this.#newestSequence = packet.sequence;
    const samples = codec.decode(packet.payload);
    if (samples.length > 0) this.#sound.put(timestamp, samples, arrivalMs);
  }

  /**
   * A packet that arrives after a later one has been replaced already, and would confuse a codec that needs the order. RFC 3550
   * appendix A.1: "Two sequential packets -- assume that the other side restarted without telling us".
   */
  #isTooLate({ sequence }: RtpPacket, { needsOrder }: AudioCodec): boolean {
    if (!needsOrder || this.#newestSequence === null) return false;
    const distance = sequenceDistance(sequence, this.#newestSequence);
    if (distance > 0) return false;
    const isRestart = distance < -MAX_MISORDER && sequence === this.#restartSequence;
    this.#restartSequence = (sequence + 1) % 2 ** 16;
    return !isRestart;
  }

  #isAfterGap({ sequence }: RtpPacket): boolean {
    return this.#newestSequence !== null && sequenceDistance(sequence, this.#newestSequence) > 1;
  }

  /** The repair data of a packet replace the one before it; earlier ones are concealed. */
  #repair(
    codec: AudioCodec,
    { payload }: RtpPacket,
    { timestamp, arrivalMs }: { timestamp: number; arrivalMs: number },
  ): void {
    const samples = codec.recover(payload);
    if (samples && samples.length > 0)
      this.#sound.put((timestamp - samples.length) >>> 0, samples, arrivalMs);
  }

  /** A new SSRC during a call (after a transfer or a restart of the gateway) starts new statistics. */
  #followNewStream(ssrc: number): void {
    if (this.#ssrc !== null) this.#startCounts();
    this.#sound.join();
    this.#newestSequence = null;
    this.#ssrc = ssrc;
  }

  /**
   * The far end has changed to another codec of its answer. With another clock its timestamps cannot be compared with those before, so
   * that the sound is joined to what was heard.
   */
  #followClock(codec: AudioCodec): void {
    this.#useClock(codec);
    this.#sound.join();
  }

  #useClock({ clockRateHz }: AudioCodec): void {
    this.#scale.use(clockRateHz, this.#sampleRateHz);
    this.statistics.clockRateHz = clockRateHz;
  }

  #forgetStream(): void {
    if (this.#ssrc !== null) this.#startCounts();
    this.#ssrc = null;
    this.#newestSequence = null;
    this.#sound.reset();
  }

  #startCounts(): void {
    this.statistics.restart();
    this.#dtmf.reset();
  }
}

/** What a packet contains; null for one that does not belong to the stream. */
function contentOf(
  { payloadType, payload }: RtpPacket,
  target: ReceiverTarget,
): Codec | 'events' | 'noise' | null {
  const other = target.alsoReceived?.find((format) => format.payloadType === payloadType)?.content;
  const sound = payloadType === target.payloadType ? target.codec : null;
  const content = other ?? sound;
  if (content !== null && content !== 'events')
    return payload.length > 0 && payload.length <= LONGEST_PAYLOAD ? content : null;
  if (content === 'events' || payloadType === target.telephoneEventPayloadType) return 'events';
  return payloadType === COMFORT_NOISE ? 'noise' : null;
}

function isSameStream(one: ReceiverTarget, other: ReceiverTarget): boolean {
  return (
    one.remoteHost === other.remoteHost &&
    one.remotePort === other.remotePort &&
    one.signallingHost === other.signallingHost &&
    one.codec === other.codec &&
    one.payloadType === other.payloadType &&
    one.encryption?.remoteKey === other.encryption?.remoteKey &&
    one.isHearing === other.isHearing
  );
}

/** From one sequence number to another, -32 768 to 32 767; they wrap at 2^16. */
function sequenceDistance(to: number, from: number): number {
  return ((to - from) << 16) >> 16;
}
