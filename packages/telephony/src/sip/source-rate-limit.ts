/**
 * Limits the rate of messages per source: an IPv4 address, or the network of an IPv6 address, in which a host may use any
 * address. A message over the limit is dropped before it is parsed, at constant cost. The table of sources has a fixed
 * size, so that forged addresses cannot exhaust the memory.
 */
import { networkOf } from '@parley/runtime';

/** A token bucket that fills at `perSecond` and holds at most `burst` messages. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** About 150 calls per second from one trunk, with bursts of twice as many. */
export const DEFAULT_RATE_LIMIT: RateLimit = { perSecond: 1000, burst: 2000 };
const MAX_SOURCES = 10_000;

/** Counts messages by the network of their source. */
export class SourceRateLimit {
  readonly #limit: RateLimit;
  /** In insertion order: the first entry is the oldest. */
  readonly #buckets = new Map<string, Bucket>();
  #dropped = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** How many messages have exceeded the limit. */
  get dropped(): number {
    return this.#dropped;
  }

  /** True if a message of this source may be processed now. `nowMs` is monotonic. */
  admits(address: string, nowMs: number): boolean {
    const source = networkOf(address);
    const bucket = this.#buckets.get(source) ?? this.#open(source, nowMs);
    const earned = ((nowMs - bucket.atMs) / 1000) * this.#limit.perSecond;
    bucket.tokens = Math.min(this.#limit.burst, bucket.tokens + earned);
    bucket.atMs = nowMs;
    const isAdmitted = bucket.tokens >= 1;
    if (isAdmitted) bucket.tokens -= 1;
    else this.#dropped += 1;
    return isAdmitted;
  }

  #open(source: string, nowMs: number): Bucket {
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size >= MAX_SOURCES && oldest !== undefined) this.#buckets.delete(oldest);
    const bucket = { tokens: this.#limit.burst, atMs: nowMs };
    this.#buckets.set(source, bucket);
    return bucket;
  }
}
