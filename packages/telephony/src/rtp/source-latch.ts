/**
 * Decides which datagrams belong to a call (symmetric RTP, RFC 4961). The address of the far end's SDP is always
 * believed; behind a translator its packets come from elsewhere, so another source is believed after it alone has sent
 * for a while. Until then it is not heard, and what anybody else sends afterwards is never heard.
 */

/** Where packets come from or go to. */
export interface Address {
  host: string;
  port: number;
}

/** Packets in a row after which another port of the negotiated host is believed (5 are 100 ms). */
const TRIAL_SAME_HOST = 5;
/** The same for another host. */
const TRIAL_OTHER_HOST = 10;

/** The latch of one call. */
export class SourceLatch {
  #negotiated: Address | null = null;
  #latched: Address | null = null;
  #candidate: Address | null = null;
  #trial = 0;

  /** Where to send: the source we hear, before that the negotiated address. */
  get target(): Address | null {
    return this.#latched ?? this.#negotiated;
  }

  /** Starts over with what a new offer or answer says. */
  reset(negotiated: Address): void {
    this.#negotiated = negotiated;
    this.#latched = null;
    this.#candidate = null;
    this.#trial = 0;
  }

  /** True when a packet from there is to be heard. Only call it with packets that look like those of this call. */
  accepts(host: string, port: number): boolean {
    if (isAt(this.#latched, host, port)) return true;
    if (isAt(this.#negotiated, host, port)) {
      // Also when another source was believed before: nobody has a better claim than the one who was negotiated.
      this.#latched = this.#negotiated;
      return true;
    }
    return this.#latched === null && this.#passesTrial(host, port);
  }

  #passesTrial(host: string, port: number): boolean {
    if (!isAt(this.#candidate, host, port)) {
      this.#candidate = { host, port };
      this.#trial = 0;
    }
    this.#trial++;
    if (this.#trial < (host === this.#negotiated?.host ? TRIAL_SAME_HOST : TRIAL_OTHER_HOST)) return false;
    this.#latched = this.#candidate;
    return true;
  }
}

function isAt(address: Address | null, host: string, port: number): boolean {
  return address !== null && address.port === port && address.host === host;
}
