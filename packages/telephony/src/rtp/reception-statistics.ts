/**
 * Reception statistics of one stream: packets expected and lost (RFC 3550 appendix A.1 and A.3) and interarrival jitter
 * (A.8). A new source (SSRC) starts a new count; the totals of the earlier sources are kept.
 */
import { sequenceDistance, timestampDistance } from './rtp-packet.ts';

/** A larger jump of the sequence number is a restarted source, not a loss (RFC 3550 appendix A.1, MAX_DROPOUT). */
const MAX_DROPOUT = 3000;

/** The fields of one report block (RFC 3550 section 6.4.1). */
export interface ReceptionReport {
  /** Share of packets lost since the last report, 0 to 255 for 0 to 1. */
  fractionLost: number;
  packetsLost: number;
  /** The extended highest sequence number: the count of cycles in the upper 16 bits. */
  highestSequence: number;
  /** In timestamp units. */
  jitter: number;
}

/** Counts the packets of one received stream. */
export class ReceptionStatistics {
  /** The clock rate of the timestamps. */
  clockRateHz: number;
  #isRunning = false;
  #baseSequence = 0;
  #highestSequence = 0;
  #cycles = 0;
  #received = 0;
  #earlierReceived = 0;
  #earlierExpected = 0;
  #expectedAtReport = 0;
  #receivedAtReport = 0;
  #jitter = 0;
  #transit: number | null = null;

  constructor(sampleRateHz: number) {
    this.clockRateHz = sampleRateHz;
  }

  /** Received packets, including duplicates. */
  get packetsReceived(): number {
    return this.#earlierReceived + this.#received;
  }

  /** Expected minus received packets, at least 0: duplicates can hide losses. */
  get packetsLost(): number {
    return Math.max(0, this.#expected() - this.packetsReceived);
  }

  get jitterMs(): number {
    return (this.#jitter * 1000) / this.clockRateHz;
  }

  /** The next packet belongs to a new source. */
  restart(): void {
    this.#earlierExpected = this.#expected();
    this.#earlierReceived += this.#received;
    this.#isRunning = false;
    this.#received = 0;
    this.#cycles = 0;
    this.#transit = null;
  }

  /** Counts a packet. */
  count(sequence: number): void {
    if (this.#isRunning && Math.abs(sequenceDistance(sequence, this.#highestSequence)) > MAX_DROPOUT)
      this.restart();
    this.#received++;
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#baseSequence = sequence;
      this.#highestSequence = sequence;
      return;
    }
    if (sequenceDistance(sequence, this.#highestSequence) <= 0) return;
    if (sequence < this.#highestSequence) this.#cycles++;
    this.#highestSequence = sequence;
  }

  /**
   * Updates the jitter. Only for audio packets: the packets of one DTMF event share a timestamp.
   *
   * @param arrivalMs - monotonic
   */
  observeArrival(timestamp: number, arrivalMs: number): void {
    const transit = timestampDistance(Math.round((arrivalMs * this.clockRateHz) / 1000), timestamp);
    if (this.#transit !== null) {
      const change = Math.abs(timestampDistance(transit, this.#transit));
      // A change of a second or more is a reset of the sender's clock, not jitter.
      if (change < this.clockRateHz) this.#jitter += (change - this.#jitter) / 16;
    }
    this.#transit = transit;
  }

  /** The fields for a report; the fraction lost of the next report counts from here. */
  report(): ReceptionReport {
    const expected = this.#expected() - this.#expectedAtReport;
    const lost = expected - (this.packetsReceived - this.#receivedAtReport);
    this.#expectedAtReport = this.#expected();
    this.#receivedAtReport = this.packetsReceived;
    return {
      fractionLost: expected > 0 && lost > 0 ? Math.min(255, Math.floor((lost * 256) / expected)) : 0,
      packetsLost: this.packetsLost,
      highestSequence: ((this.#cycles << 16) | this.#highestSequence) >>> 0,
      jitter: Math.floor(this.#jitter),
    };
  }

  #expected(): number {
    if (!this.#isRunning) return this.#earlierExpected;
    return this.#earlierExpected + this.#cycles * 65_536 + this.#highestSequence - this.#baseSequence + 1;
  }
}
