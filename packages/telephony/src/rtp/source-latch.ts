/**
 * Decides which datagrams belong to a call (symmetric RTP, RFC 4961). The negotiated address, that of the far end's SDP, is
 * always accepted. A far end behind NAT sends from another address, so another port of that host or of the signalling host
 * is accepted if it sends before the negotiated address does, and soon after the negotiation. A NAT may give the far end a
 * new port during the call: another port of the accepted host is learned once the accepted one has been quiet for a second.
 * No packet ever moves the call to another host: only a new offer and answer do.
 */

/** The source or destination of packets. */
export interface Address {
  host: string;
  port: number;
}

/** What the signalling says about the far end. */
export interface Negotiated extends Address {
  /** The address from which the far end's signalling comes, if known. */
  signallingHost?: string | undefined;
}

/** Consecutive packets of one source before it is learned (5 are 100 ms), so that a stray packet learns nothing. */
const TRIAL_PACKETS = 5;
/** How long after the negotiation a source may be learned, in frames of 20 ms: 10 s. */
const LEARNING_FRAMES = 500;
/** How long the accepted source must be quiet before another port of its host may replace it, in frames of 20 ms: 1 s. */
const QUIET_FRAMES = 50;

/** The latch of one call. */
export class SourceLatch {
  #negotiated: Address | null = null;
  #signallingHost: string | null = null;
  #latched: Address | null = null;
  #candidate: Address | null = null;
  #trial = 0;
  #frames = 0;
  /** Since the last accepted packet. */
  #quietFrames = 0;

  /** The destination of our packets: the accepted source, before that the negotiated address. */
  get target(): Address | null {
    return this.#latched ?? this.#negotiated;
  }

  /** Starts over with a new offer or answer. */
  reset({ host, port, signallingHost }: Negotiated): void {
    this.#negotiated = { host, port };
    this.#signallingHost = signallingHost ?? null;
    this.#latched = null;
    this.#candidate = null;
    this.#trial = 0;
    this.#frames = 0;
    this.#quietFrames = 0;
  }

  /** Called every 20 ms. */
  tick(): void {
    this.#frames += 1;
    this.#quietFrames += 1;
  }

  /** True when a packet of that source is accepted. Only call it with packets that look like those of this call. */
  accepts(host: string, port: number): boolean {
    if (!this.#belongs(host, port)) return false;
    this.#candidate = null;
    this.#quietFrames = 0;
    return true;
  }

  #belongs(host: string, port: number): boolean {
    if (this.#latched)
      return this.#latched.host === host && (this.#isStillAccepted(port) || this.#hasMoved(host, port));
    if (isAt(this.#negotiated, host, port)) {
      this.#latched = { host, port };
      return true;
    }
    return this.#mayLearn(host) && this.#passesTrial(host, port);
  }

  #hasMoved(host: string, port: number): boolean {
    return this.#quietFrames >= QUIET_FRAMES && this.#passesTrial(host, port);
  }

  /** The negotiated port takes over from a learned one of the same host. */
  #isStillAccepted(port: number): boolean {
    if (this.#latched && this.#latched.host === this.#negotiated?.host && port === this.#negotiated.port)
      this.#latched = { host: this.#latched.host, port };
    return this.#latched?.port === port;
  }

  #mayLearn(host: string): boolean {
    const isKnownHost = host === this.#negotiated?.host || host === this.#signallingHost;
    return isKnownHost && this.#frames < LEARNING_FRAMES;
  }

  #passesTrial(host: string, port: number): boolean {
    if (!isAt(this.#candidate, host, port)) {
      this.#candidate = { host, port };
      this.#trial = 0;
    }
    this.#trial += 1;
    if (this.#trial < TRIAL_PACKETS) return false;
    this.#latched = this.#candidate;
    return true;
  }
}

function isAt(address: Address | null, host: string, port: number): boolean {
  return address !== null && address.port === port && address.host === host;
}
