/**
 * The sound of one call over WebRTC: Opus in SRTP, and reports in SRTCP, on one port (RFC 5761). It has no socket and no
 * clock. Received packets are decoded as they arrive; the jitter buffer of the call puts them in order and conceals gaps.
 */
import type { FarReport } from '../call-leg.ts';
import { FarReports } from '../rtp/far-reports.ts';
import { ReceptionStatistics } from '../rtp/reception-statistics.ts';
import { parseSenderReport, writeRtcp, type HeardReport } from '../rtp/rtcp.ts';
import { parseRtp, RTP_HEADER_BYTES, timestampDistance, writeRtpHeader } from '../rtp/rtp-packet.ts';
import type { StreamStart } from '../rtp/rtp-sender.ts';
import { SrtpReceiver } from '../srtp/srtp-receiver.ts';
import { SrtpSender } from '../srtp/srtp-sender.ts';
import type { SrtpKeys } from './dtls-server.ts';
import type { OpusCodec } from './open-opus-codec.ts';

/** RFC 7587 section 4.1: the clock of Opus in RTP, whatever its sample rate is. */
const CLOCK_HZ = 48_000;
/** The sample rate of our sound. */
const SAMPLE_RATE_HZ = 16_000;
const CLOCK_TICKS_PER_SAMPLE = CLOCK_HZ / SAMPLE_RATE_HZ;
const CLOCK_TICKS_PER_FRAME = CLOCK_HZ / 50;
/** RFC 6716 section 3.2.1: the longest Opus frame has 1275 bytes; packets of voice have one to six frames of 20 ms. */
const LONGEST_PAYLOAD_BYTES = 1500;
/**
 * Packets of a second that are decrypted and decoded, which takes about 0.06 ms for each. Browsers send 50 or 100, and after an
 * interruption those that waited.
 */
const MOST_PACKETS_PER_SECOND = 500;
const SUITE = 'AES_CM_128_HMAC_SHA1_80';

/** RFC 7983 section 7: the first byte of RTP and RTCP is 128 to 191. */
export function isMedia([first = 0]: Uint8Array): boolean {
  return first >= 128 && first <= 191;
}

/** RFC 5761 section 4: the second byte tells reports from packets with sound. */
function isReport([, second = 0]: Uint8Array): boolean {
  return second >= 192 && second <= 223;
}

/** Instants of both clocks, milliseconds. */
export interface Instant {
  monotonicMs: number;
  wallMs: number;
}

/** What a stream uses of its call. */
export interface WebRtcStreamOptions {
  start: StreamStart;
  keys: SrtpKeys;
  payloadType: number;
  codec: OpusCodec;
  /** Sends a datagram; its buffer is reused. */
  send(datagram: Uint8Array): void;
  /**
   * A packet with sound.
   *
   * @param timestamp - counts samples at 16 000 Hz, from 0
   * @param isNewSource - the timestamps do not continue those before
   */
  onSound(sound: { timestamp: number; samples: Int16Array; isNewSource: boolean }): void;
}

/** Counters of a stream. */
export interface WebRtcStats {
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  jitterMs: number;
  far: FarReport | null;
}

/** The media of one call after its handshake. */
export class WebRtcStream {
  readonly #options: WebRtcStreamOptions;
  readonly #receiver: SrtpReceiver;
  readonly #sender: SrtpSender;
  readonly #statistics = new ReceptionStatistics(CLOCK_HZ);
  readonly #farReports: FarReports;
  readonly #packet = new Uint8Array(RTP_HEADER_BYTES + LONGEST_PAYLOAD_BYTES);
  #source: { ssrc: number; clock: number; timestamp: number } | null = null;
  #heardReport: (HeardReport & { atMs: number }) | null = null;
  #sent = { packets: 0, octets: 0, timestamp: 0 };
  #previousIndex = -2;
  #second = { startMs: -Infinity, packets: 0 };

  constructor(options: WebRtcStreamOptions) {
    this.#options = options;
    this.#receiver = new SrtpReceiver(SUITE, options.keys.remote);
    this.#sender = new SrtpSender(SUITE, options.keys.local);
    this.#farReports = new FarReports(options.start.ssrc, CLOCK_HZ);
    this.#sent.timestamp = options.start.timestamp >>> 0;
  }

  /** Takes a datagram of the browser; false: it is not authentic, or one too many. */
  receive(datagram: Uint8Array, nowMs: number): boolean {
    if (!this.#isWithinRate(nowMs)) return false;
    if (isReport(datagram)) return this.#hearReport(datagram, nowMs);
    const opened = this.#receiver.openRtp(datagram);
    const packet = opened && parseRtp(opened);
    if (!packet) return false;
    const { payloadType, payload } = packet;
    const isSound = payloadType === this.#options.payloadType && payload.length > 0;
    if (!isSound || payload.length > LONGEST_PAYLOAD_BYTES) return true;
    const samples = this.#options.codec.decode(payload);
    // Not Opus: the gap is concealed like a lost packet.
    if (samples.length === 0) return true;
    const isNewSource = packet.ssrc !== this.#source?.ssrc;
    if (isNewSource && this.#source) this.#statistics.restart();
    this.#statistics.count(packet.sequence);
    this.#statistics.observeArrival(packet.timestamp, nowMs);
    const timestamp = this.#follow(packet.ssrc, packet.timestamp);
    this.#options.onSound({ timestamp, samples, isNewSource });
    return true;
  }

  /**
   * Sends a frame of 20 ms.
   *
   * @param index - counts the frames of the call, sent or not; the timestamps follow it
   */
  play(index: number, samples: Int16Array): void {
    const { start, payloadType, codec } = this.#options;
    const payload = codec.encode(samples);
    const packet = this.#packet.subarray(0, RTP_HEADER_BYTES + payload.length);
    const timestamp = (start.timestamp + index * CLOCK_TICKS_PER_FRAME) >>> 0;
    writeRtpHeader(new DataView(packet.buffer), {
      payloadType,
      hasMarker: index !== this.#previousIndex + 1,
      sequence: (start.sequence + this.#sent.packets) & 0xff_ff,
      timestamp,
      ssrc: start.ssrc >>> 0,
    });
    packet.set(payload, RTP_HEADER_BYTES);
    this.#previousIndex = index;
    this.#sent.packets++;
    this.#sent.octets += payload.length;
    this.#sent.timestamp = timestamp;
    this.#options.send(this.#sender.protectRtp(packet));
  }

  /** Sends a report; with `isGoodbye` the last one. */
  report({ monotonicMs, wallMs }: Instant, isGoodbye = false): void {
    const { packets, octets, timestamp } = this.#sent;
    const ssrc = this.#options.start.ssrc >>> 0;
    const heard = this.#heardReport;
    if (packets > 0) this.#farReports.noteSent({ wallMs, monotonicMs });
    const report = writeRtcp({
      ssrc,
      name: ssrc.toString(16),
      sent: packets > 0 ? { wallMs, timestamp, packets, octets } : null,
      heard: this.#source && {
        ...this.#statistics.report(),
        ssrc: this.#source.ssrc,
        lastReport: heard?.ntpMiddle ?? 0,
        sinceLastReportMs: heard ? monotonicMs - heard.atMs : 0,
      },
      isGoodbye,
    });
    this.#options.send(this.#sender.protectRtcp(report));
  }

  stats(): WebRtcStats {
    const { packetsReceived, packetsLost, jitterMs } = this.#statistics;
    return {
      packetsSent: this.#sent.packets,
      packetsReceived,
      packetsLost,
      jitterMs,
      far: this.#farReports.latest,
    };
  }

  #isWithinRate(nowMs: number): boolean {
    if (nowMs - this.#second.startMs >= 1000) this.#second = { startMs: nowMs, packets: 0 };
    this.#second.packets += 1;
    return this.#second.packets <= MOST_PACKETS_PER_SECOND;
  }

  #hearReport(datagram: Uint8Array, nowMs: number): boolean {
    const opened = this.#receiver.openRtcp(datagram);
    if (!opened) return false;
    this.#farReports.take(opened, nowMs);
    const report = parseSenderReport(opened);
    if (report && report.ssrc === this.#source?.ssrc) this.#heardReport = { ...report, atMs: nowMs };
    return true;
  }

  /** The position of a packet at our sample rate. Browsers send multiples of 2.5 ms, so that the division is exact. */
  #follow(ssrc: number, clock: number): number {
    const before = this.#source?.ssrc === ssrc ? this.#source : null;
    const ticks = before ? timestampDistance(clock, before.clock) : 0;
    const timestamp = ((before?.timestamp ?? 0) + Math.round(ticks / CLOCK_TICKS_PER_SAMPLE)) >>> 0;
    this.#source = { ssrc, clock, timestamp };
    return timestamp;
  }
}
