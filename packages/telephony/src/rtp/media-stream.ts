/**
 * The media of one call inside the media worker: both directions of RTP, DTMF, RTCP and the playout queue, driven by
 * `tick` every 20 ms. It has no socket and no clock, so that tests can drive it.
 */
import type { MediaStats } from '../call-leg.ts';
import type { KeyForm, MediaTarget } from '../media-factory.ts';
import { PlayoutQueue } from '../playout-queue.ts';
import { openCodec, type AudioCodec, type LegRateHz } from './audio-codec.ts';
import { MediaCrypto } from '../srtp/media-crypto.ts';
import { DtmfSender } from './dtmf-sender.ts';
import type { KeyPress } from './dtmf-receiver.ts';
import { FarReports } from './far-reports.ts';
import { isRtcp, parseSenderReport, writeRtcp, type HeardReport } from './rtcp.ts';
import { RtpReceiver } from './rtp-receiver.ts';
import { RtpSender, type StreamStart } from './rtp-sender.ts';
import { ToneSender } from './tone-sender.ts';
import type { Address } from './source-latch.ts';

/** The clock of events where none is agreed. */
const EVENT_RATE_HZ = 8000;

/** A frame that is late by more than this, because the process was frozen, is not sent. */
const STALE_MS = 200;
/** Mean interval of RTCP reports, in frames: 5 s, varied by half to either side (RFC 3550 sections 6.2 and 6.3.1). */
const REPORT_FRAMES = 250;

/** What a stream uses of its host. */
export interface MediaStreamOptions {
  /** Default: 8000. */
  sampleRateHz?: LegRateHz;
  start: StreamStart;
  /** Sends a datagram; its buffer is reused. */
  send(kind: 'rtp' | 'rtcp', datagram: Uint8Array, to: Address): void;
  onKey(key: KeyPress): void;
  /** No packet arrived for the time given to {@link MediaStream.watchSilence}. Called once. */
  onSilence(): void;
}

/** One frame in both directions; the arrays are reused. */
export interface StreamTick {
  received: Int16Array;
  isConcealed: boolean;
  receivedAgoMs: number;
  sent: Int16Array;
  sentTurn: number;
  sentSamples: number;
  queuedSamples: number;
}

/** The media of one call. */
export class MediaStream {
  readonly playout = new PlayoutQueue();
  readonly #options: MediaStreamOptions;
  readonly #receiver: RtpReceiver;
  readonly #sender: RtpSender;
  readonly #farReports: FarReports;
  readonly #keys = new DtmfSender(EVENT_RATE_HZ);
  readonly #tones: ToneSender;
  readonly #crypto = new MediaCrypto();
  readonly #tick: StreamTick;
  readonly #sampleRateHz: LegRateHz;
  #codec: AudioCodec | null = null;
  #target: MediaTarget | null = null;
  #silenceLimitFrames = Infinity;
  #framesToReport: number;
  #heardReport: (HeardReport & { atMs: number }) | null = null;

  constructor(options: MediaStreamOptions) {
    this.#options = options;
    const { sampleRateHz = 8000 } = options;
    this.#sampleRateHz = sampleRateHz;
    this.#tones = new ToneSender(sampleRateHz);
    this.#tick = {
      received: new Int16Array(sampleRateHz / 50),
      isConcealed: true,
      receivedAgoMs: 0,
      sent: new Int16Array(sampleRateHz / 50),
      sentTurn: 0,
      sentSamples: 0,
      queuedSamples: 0,
    };
    this.#receiver = new RtpReceiver({
      sampleRateHz,
      onKey: (key) => options.onKey(key),
    });
    this.#sender = new RtpSender(options.start);
    this.#farReports = new FarReports(options.start.ssrc >>> 0, sampleRateHz);
    // The SSRC is random and therefore randomises the report interval (RFC 3550 section 6.3.1).
    this.#framesToReport = REPORT_FRAMES / 2 + (options.start.ssrc % REPORT_FRAMES);
  }

  /** Whether the stream can go on with its codec when it gets that target. */
  hasCodecOf(target: MediaTarget): boolean {
    return (
      this.#codec !== null &&
      this.#target?.codec === target.codec &&
      this.#target.maxBitrate === target.maxBitrate
    );
  }

  /**
   * Sets the target of the stream.
   *
   * @param codec - a new one, which the stream frees; absent if the stream can go on with its codec, or can open one itself
   */
  connect(target: MediaTarget, codec = this.#codecFor(target)): void {
    if (codec !== this.#codec) this.#codec?.free();
    this.#codec = codec;
    this.#target = target;
    this.#sender.use(codec);
    this.#farReports.clockRateHz = codec.clockRateHz;
    this.#keys.clockRateHz = target.telephoneEventClockRateHz ?? EVENT_RATE_HZ;
    this.#heardReport = null;
    if (this.#crypto.use(target.encryption)) this.#sender.changeSource();
    this.#farReports.ssrc = this.#sender.ssrc;
    this.#receiver.listen({ ...target, isHearing: hears(target) }, codec);
  }

  #codecFor(target: MediaTarget): AudioCodec {
    return this.#codec && this.hasCodecOf(target) ? this.#codec : openCodec(target, this.#sampleRateHz);
  }

  /** Queues DTMF keys. */
  sendKeys(digits: string, as: KeyForm): void {
    if (as === 'tones') this.#tones.push(digits);
    else if (this.#target?.telephoneEventPayloadType !== null) this.#keys.push(digits);
  }

  /** @see MediaStreamOptions.onSilence */
  watchSilence(limitMs: number): void {
    this.#silenceLimitFrames = Math.ceil(limitMs / 20);
  }

  /** Takes a datagram of the RTP port. */
  receive(datagram: Uint8Array, from: Address, nowMs: number): void {
    // Only an authentic packet may show where the far end is.
    const packet = this.#crypto.open('rtp', datagram);
    if (packet) this.#receiver.receive(packet, from, nowMs);
    else this.#receiver.reject();
  }

  /** Takes a datagram of the RTCP port. */
  receiveRtcp(received: Uint8Array, from: Address, nowMs: number): void {
    const datagram = this.#crypto.open('rtcp', received);
    if (!datagram) return;
    // A far end with silence suppression may send nothing but reports for a long time.
    if (isRtcp(datagram)) this.#receiver.noteLife(from.host);
    // From the host that we hear only: anyone can send to this port.
    if (from.host === this.#receiver.source?.host) this.#farReports.take(datagram, nowMs);
    const report = parseSenderReport(datagram);
    // Anyone can send to this port, so only reports about the stream that we receive are quoted.
    if (report && report.ssrc === this.#receiver.ssrc) this.#heardReport = { ...report, atMs: nowMs };
  }

  /**
   * Processes one frame in both directions.
   *
   * @param latenessMs - delay of the clock; beyond 200 ms nothing is sent for this frame
   * @param now - for reports: monotonic and wall-clock time, milliseconds
   */
  tick(latenessMs: number, now: { monotonicMs: number; wallMs: number }): StreamTick {
    const tick = this.#tick;
    const isOnTime = latenessMs <= STALE_MS;
    tick.isConcealed = this.#receiver.take(tick.received, {
      tickMs: now.monotonicMs - latenessMs,
      isOnTime,
    });
    // With silence suppression at the far end, missing packets do not add to the delay.
    if (!tick.isConcealed) tick.receivedAgoMs = this.#receiver.heldMs(now.monotonicMs);
    this.#send(tick, isOnTime);
    tick.queuedSamples = this.playout.queuedSamples;
    if (this.#receiver.framesSinceHeard >= this.#silenceLimitFrames) {
      this.#silenceLimitFrames = Infinity;
      this.#options.onSilence();
    }
    if (--this.#framesToReport <= 0) {
      this.#framesToReport = REPORT_FRAMES / 2 + (this.#sender.timestamp % REPORT_FRAMES);
      this.#report(now, false);
    }
    return tick;
  }

  /** Sends an RTCP BYE; nothing is sent afterwards. */
  end(now: { monotonicMs: number; wallMs: number }): void {
    if (this.#sender.packetsSent > 0) this.#report(now, true);
    this.#codec?.free();
    this.#codec = null;
    this.#target = null;
  }

  stats(): MediaStats & { droppedPackets: number; rejectedPackets: number } {
    const { statistics, concealedFrames, droppedPackets, rejectedPackets } = this.#receiver;
    return {
      packetsSent: this.#sender.packetsSent,
      packetsReceived: statistics.packetsReceived,
      packetsLost: statistics.packetsLost,
      jitterMs: statistics.jitterMs,
      concealedFrames,
      far: this.#farReports.latest,
      droppedPackets,
      rejectedPackets,
    };
  }

  #send(tick: StreamTick, isOnTime: boolean): void {
    tick.sentTurn = 0;
    tick.sentSamples = 0;
    const target = this.#target;
    const codec = this.#codec;
    const to = this.#receiver.source;
    if (!target || !codec || !to || !isOnTime || !speaks(target)) {
      tick.sent.fill(0);
      this.#sender.pass();
      return;
    }
    const key = this.#keys.next();
    if (key && target.telephoneEventPayloadType !== null) {
      tick.sent.fill(0);
      this.#emit('rtp', this.#sender.key(key, target.telephoneEventPayloadType), to);
      return;
    }
    if (!this.#tones.takeInto(tick.sent)) {
      const taken = this.playout.takeInto(tick.sent);
      tick.sentTurn = taken.turn;
      tick.sentSamples = taken.samples;
    }
    if (target.packetMs === undefined)
      return this.#emit('rtp', this.#sender.sound(tick.sent, codec, target.payloadType), to);
    for (const half of this.#sender.halves(tick.sent, codec, target.payloadType)) this.#emit('rtp', half, to);
  }

  #emit(kind: 'rtp' | 'rtcp', packet: Uint8Array, to: Address): void {
    this.#options.send(kind, this.#crypto.protect(kind, packet), to);
  }

  #report({ monotonicMs, wallMs }: { monotonicMs: number; wallMs: number }, isGoodbye: boolean): void {
    const to = this.#receiver.source;
    if (!to) return;
    const { sentWithSsrc: counts, timestamp, ssrc } = this.#sender;
    const heard = this.#heardReport;
    if (counts.packets > 0) this.#farReports.noteSent({ wallMs, monotonicMs });
    const report = writeRtcp({
      ssrc,
      name: ssrc.toString(16),
      sent: counts.packets > 0 ? { wallMs, timestamp, ...counts } : null,
      heard:
        this.#receiver.ssrc === null
          ? null
          : {
              ...this.#receiver.statistics.report(),
              ssrc: this.#receiver.ssrc,
              lastReport: heard?.ntpMiddle ?? 0,
              sinceLastReportMs: heard ? monotonicMs - heard.atMs : 0,
            },
      isGoodbye,
    });
    this.#emit('rtcp', report, { host: to.host, port: to.port + 1 });
  }
}

function hears({ direction }: MediaTarget): boolean {
  return direction === 'sendrecv' || direction === 'recvonly';
}

function speaks({ direction }: MediaTarget): boolean {
  return direction === 'sendrecv' || direction === 'sendonly';
}
