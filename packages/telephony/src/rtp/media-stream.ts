/**
 * The sound of one call inside the media worker: both directions of RTP, keys, RTCP and the queue of what is to be said,
 * moved on by `tick` every 20 ms. No sockets and no clock of its own, so that tests feed it by hand.
 */
import type { MediaStats } from '../call-leg.ts';
import type { MediaTarget } from '../media-factory.ts';
import { PlayoutQueue } from '../playout-queue.ts';
import { DtmfSender } from './dtmf-sender.ts';
import type { KeyPress } from './dtmf-receiver.ts';
import { parseSenderReport, writeRtcp, type HeardReport } from './rtcp.ts';
import { RtpReceiver } from './rtp-receiver.ts';
import { RtpSender, type StreamStart } from './rtp-sender.ts';
import type { Address } from './source-latch.ts';

/** G.711. */
export const RTP_SAMPLE_RATE_HZ = 8000;
/** 20 ms. */
export const RTP_FRAME_SAMPLES = 160;

/** A frame that late (the process was frozen) is not sent any more: nobody waits for it. */
const STALE_MS = 200;
/** Mean interval of RTCP, in frames: 5 s (RFC 3550 section 6.2), varied by half to either side. */
const REPORT_FRAMES = 250;

/** What a stream needs from outside. */
export interface MediaStreamOptions {
  start: StreamStart;
  /** Sends a datagram; the bytes are used again soon. */
  send(kind: 'rtp' | 'rtcp', datagram: Uint8Array, to: Address): void;
  onKey(key: KeyPress): void;
  /** Nothing was heard for the time given to {@link MediaStream.watchSilence}. Called once. */
  onSilence(): void;
}

/** Both directions of one frame time; the arrays are used again. */
export interface StreamTick {
  received: Int16Array;
  isConcealed: boolean;
  receivedAgoMs: number;
  sent: Int16Array;
  sentTurn: number;
  sentSamples: number;
  queuedSamples: number;
}

/** One call's sound. */
export class MediaStream {
  readonly playout = new PlayoutQueue();
  readonly #options: MediaStreamOptions;
  readonly #receiver: RtpReceiver;
  readonly #sender: RtpSender;
  readonly #keys = new DtmfSender(RTP_FRAME_SAMPLES);
  readonly #tick: StreamTick = {
    received: new Int16Array(RTP_FRAME_SAMPLES),
    isConcealed: true,
    receivedAgoMs: 0,
    sent: new Int16Array(RTP_FRAME_SAMPLES),
    sentTurn: 0,
    sentSamples: 0,
    queuedSamples: 0,
  };
  #target: MediaTarget | null = null;
  #silenceLimitFrames = Infinity;
  #framesToReport: number;
  #heardReport: (HeardReport & { atMs: number }) | null = null;

  constructor(options: MediaStreamOptions) {
    this.#options = options;
    this.#receiver = new RtpReceiver({
      sampleRateHz: RTP_SAMPLE_RATE_HZ,
      onKey: (key) => options.onKey(key),
    });
    this.#sender = new RtpSender(options.start, RTP_FRAME_SAMPLES);
    // The SSRC is random; so are then the instants of our reports, as RFC 3550 section 6.3 asks.
    this.#framesToReport = REPORT_FRAMES / 2 + (options.start.ssrc % REPORT_FRAMES);
  }

  /** Points the stream at the far end, or elsewhere. */
  connect(target: MediaTarget): void {
    this.#target = target;
    this.#heardReport = null;
    this.#receiver.listen({ ...target, isHearing: hears(target) });
  }

  /** Adds keys to be sent. */
  sendKeys(digits: string): void {
    if (this.#target?.telephoneEventPayloadType !== null) this.#keys.push(digits);
  }

  /** @see MediaStreamOptions.onSilence */
  watchSilence(limitMs: number): void {
    this.#silenceLimitFrames = Math.ceil(limitMs / 20);
  }

  /** Takes a datagram of the RTP port. */
  receive(datagram: Uint8Array, from: Address, nowMs: number): void {
    this.#receiver.receive(datagram, from, nowMs);
  }

  /** Takes a datagram of the RTCP port. */
  receiveRtcp(datagram: Uint8Array, nowMs: number): void {
    const report = parseSenderReport(datagram);
    // Anybody can send here: what is not about the stream we hear is not quoted.
    if (report && report.ssrc === this.#receiver.ssrc) this.#heardReport = { ...report, atMs: nowMs };
  }

  /**
   * One frame time, in both directions.
   *
   * @param latenessMs - how late the clock is; more than 200 ms and nothing is sent for this frame
   * @param now - for reports: monotonic and wall time, milliseconds
   */
  tick(latenessMs: number, now: { monotonicMs: number; wallMs: number }): StreamTick {
    const tick = this.#tick;
    const isOnTime = latenessMs <= STALE_MS;
    tick.isConcealed = this.#receiver.take(tick.received, {
      tickMs: now.monotonicMs - latenessMs,
      isOnTime,
    });
    // A far end that sends nothing while nobody speaks holds nothing back.
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

  /** Says goodbye by RTCP; nothing is sent afterwards. */
  end(now: { monotonicMs: number; wallMs: number }): void {
    if (this.#sender.packetsSent > 0) this.#report(now, true);
  }

  stats(): MediaStats & { droppedPackets: number } {
    const { statistics, concealedFrames, droppedPackets } = this.#receiver;
    return {
      packetsSent: this.#sender.packetsSent,
      packetsReceived: statistics.packetsReceived,
      packetsLost: statistics.packetsLost,
      jitterMs: statistics.jitterMs,
      concealedFrames,
      droppedPackets,
    };
  }

  #send(tick: StreamTick, isOnTime: boolean): void {
    tick.sentTurn = 0;
    tick.sentSamples = 0;
    const target = this.#target;
    const to = this.#receiver.source;
    if (!target || !to || !isOnTime || !speaks(target)) {
      tick.sent.fill(0);
      this.#sender.pass();
      return;
    }
    const key = this.#keys.next();
    if (key && target.telephoneEventPayloadType !== null) {
      tick.sent.fill(0);
      this.#options.send('rtp', this.#sender.key(key, target.telephoneEventPayloadType), to);
      return;
    }
    const taken = this.playout.takeInto(tick.sent);
    tick.sentTurn = taken.turn;
    tick.sentSamples = taken.samples;
    this.#options.send('rtp', this.#sender.sound(tick.sent, target.codec, target.payloadType), to);
  }

  #report({ monotonicMs, wallMs }: { monotonicMs: number; wallMs: number }, isGoodbye: boolean): void {
    const to = this.#receiver.source;
    if (!to) return;
    const { packetsSent: packets, octetsSent: octets, timestamp, ssrc } = this.#sender;
    const heard = this.#heardReport;
    const report = writeRtcp({
      ssrc,
      name: ssrc.toString(16),
      sent: packets > 0 ? { wallMs, timestamp, packets, octets } : null,
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
    this.#options.send('rtcp', report, { host: to.host, port: to.port + 1 });
  }
}

function hears({ direction }: MediaTarget): boolean {
  return direction === 'sendrecv' || direction === 'recvonly';
}

function speaks({ direction }: MediaTarget): boolean {
  return direction === 'sendrecv' || direction === 'sendonly';
}
