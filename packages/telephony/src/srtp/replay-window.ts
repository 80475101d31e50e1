/**
 * Which packets of one source have arrived (RFC 3711 section 3.3.2): "each SRTP receiver maintains a Replay List". A window
 * of 128 packets is larger than what networks reorder; section 3.3.2 asks for at least 64.
 */
const WINDOW = 128;

/** Empty at first. */
export class ReplayWindow {
  readonly #seen = new Uint8Array(WINDOW);
  #highest = -1;

  /** The highest index so far; -1 before the first packet. */
  get highest(): number {
    return this.#highest;
  }

  /** False for a packet that has arrived, or that is too old to tell. */
  isNew(index: number): boolean {
    if (index > this.#highest) return true;
    return this.#highest - index < WINDOW && this.#seen[index % WINDOW] === 0;
  }

  /** Only for a packet that is authentic, and new. */
  take(index: number): void {
    const steps = Math.min(index - this.#highest, WINDOW);
    for (let step = 0; step < steps; step++) this.#seen[(index - step) % WINDOW] = 0;
    this.#highest = Math.max(this.#highest, index);
    this.#seen[index % WINDOW] = 1;
  }
}
