/**
 * What the far end reports about our packets, and the round-trip time: from our sender report to the block that quotes it,
 * less the time for which the far end held it (RFC 3550 section 6.4.1, "delay since last SR"). Only our own clock is read.
 */
import type { FarReport } from '../call-leg.ts';
import { ntpMiddleOf, parseReportBlock } from './rtcp.ts';

/** Sender reports of ours that a block may quote. */
const MOST_SENT = 4;
/** Values of a liar, or of another clock rate, that would not fit into the counters. */
const LONGEST_MS = 60_000;

/** The reports of the far end of one stream. */
export class FarReports {
  /** Our own. */
  ssrc: number;
  /** The clock rate of the timestamps that we send. */
  clockRateHz: number;
  #sent: { ntpMiddle: number; atMs: number }[] = [];
  #latest: FarReport | null = null;

  constructor(ssrc: number, sampleRateHz: number) {
    this.ssrc = ssrc;
    this.clockRateHz = sampleRateHz;
  }

  /** The latest report; null before the first. */
  get latest(): FarReport | null {
    return this.#latest;
  }

  /** A sender report of ours was sent. */
  noteSent({ wallMs, monotonicMs }: { wallMs: number; monotonicMs: number }): void {
    this.#sent = [...this.#sent.slice(1 - MOST_SENT), { ntpMiddle: ntpMiddleOf(wallMs), atMs: monotonicMs }];
  }

  /** Reads a compound packet of the far end. */
  take(datagram: Uint8Array, nowMs: number): void {
    const block = parseReportBlock(datagram, this.ssrc);
    if (!block) return;
    const quoted = this.#sent.find(({ ntpMiddle }) => ntpMiddle === block.lastReport);
    const roundTripMs = quoted && Math.max(0, nowMs - quoted.atMs - block.sinceLastReportMs);
    this.#latest = {
      packetsLost: block.packetsLost,
      jitterMs: Math.min(LONGEST_MS, (block.jitter * 1000) / this.clockRateHz),
      roundTripMs: roundTripMs === undefined ? (this.#latest?.roundTripMs ?? null) : roundTripMs,
    };
  }
}
