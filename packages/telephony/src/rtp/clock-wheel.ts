/**
 * One 20 ms clock for all calls of a worker. It has 20 slots, a millisecond apart; every call sits in one of them, so
 * that 200 calls are 10 at a time and not 200 at once. Instants come from an absolute schedule: a late timer makes a
 * call late once, it never makes the stream slow. Whatever was missed is made up at once, in order.
 */
import type { Clock, Timer } from '@parley/runtime';

/** Length of a turn of the wheel and of a frame of sound. */
const TURN_MS = 20;

/** Called once per 20 ms of the schedule; `latenessMs` tells by how much it is late. */
export type WheelCallback = (latenessMs: number) => void;

/** The shared clock. Runs while it has members. */
export class ClockWheel {
  readonly #clock: Clock;
  readonly #afterWakeUp: () => void;
  readonly #slots: Set<WheelCallback>[] = Array.from({ length: TURN_MS }, () => new Set());
  readonly #originMs: number;
  /** The next instant to be run, whole milliseconds since the origin; its slot is the remainder of 20. */
  #nextMs = 0;
  #timer: Timer | null = null;

  /** @param afterWakeUp - called after each run of callbacks: the place to send off what they have gathered */
  constructor(clock: Clock, afterWakeUp: () => void) {
    this.#clock = clock;
    this.#afterWakeUp = afterWakeUp;
    this.#originMs = clock.monotonic();
  }

  /** Adds a call to the emptiest slot. Gives the function that removes it. */
  join(callback: WheelCallback): () => void {
    if (this.#isEmpty()) this.#nextMs = Math.floor(this.#elapsedMs()) + 1;
    const slot = this.#emptiestSlot();
    slot.add(callback);
    this.#arm();
    return () => {
      slot.delete(callback);
      if (this.#isEmpty()) this.#timer?.cancel();
    };
  }

  #elapsedMs(): number {
    return this.#clock.monotonic() - this.#originMs;
  }

  #isEmpty(): boolean {
    return this.#slots.every((slot) => slot.size === 0);
  }

  #slotAt(instantMs: number): Set<WheelCallback> {
    return this.#slots[instantMs % TURN_MS] ?? new Set();
  }

  /** Of equally empty slots, the one whose turn comes soonest. */
  #emptiestSlot(): Set<WheelCallback> {
    let best = this.#slotAt(this.#nextMs);
    for (let i = 1; i < TURN_MS; i++) {
      const slot = this.#slotAt(this.#nextMs + i);
      if (slot.size < best.size) best = slot;
    }
    return best;
  }

  /** One timer, set to the next slot that has members; cleared when the last member leaves. */
  #arm(): void {
    this.#timer?.cancel();
    for (let i = 0; i < TURN_MS; i++) {
      if (this.#slotAt(this.#nextMs + i).size === 0) continue;
      const delayMs = Math.max(0, Math.ceil(this.#nextMs + i - this.#elapsedMs()));
      this.#timer = this.#clock.after(delayMs, () => this.#wakeUp());
      return;
    }
  }

  /**
   * Runs what is due, but no call twice: between two frames of a call the packets that wait in its socket must be read,
   * or a stall would make silence of them.
   */
  #wakeUp(): void {
    const elapsedMs = this.#elapsedMs();
    const lastMs = Math.min(elapsedMs, this.#nextMs + TURN_MS - 1);
    for (; this.#nextMs <= lastMs; this.#nextMs++) {
      for (const callback of this.#slotAt(this.#nextMs)) callback(elapsedMs - this.#nextMs);
    }
    this.#afterWakeUp();
    this.#arm();
  }
}
