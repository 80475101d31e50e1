/**
 * One 20 ms clock for all calls of a worker. It has 20 slots, one millisecond apart, and every call is in one of them, so
 * that 200 calls are processed 10 at a time. The schedule is absolute: a late timer delays a frame once, but never slows
 * the stream down. Missed frames are made up at once, in order.
 */
import type { Clock, Timer } from '@parley/runtime';

/** Duration of one turn of the wheel and of one audio frame. */
const TURN_MS = 20;

/** Called once per 20 ms of the schedule; `latenessMs` is the delay against the schedule. */
export type WheelCallback = (latenessMs: number) => void;

/** The shared clock. It runs while it has members. */
export class ClockWheel {
  readonly #clock: Clock;
  readonly #afterWakeUp: () => void;
  readonly #slots: Set<WheelCallback>[] = Array.from({ length: TURN_MS }, () => new Set());
  readonly #originMs: number;
  /** The next instant to run, in whole milliseconds since the origin; its slot is the remainder modulo 20. */
  #nextMs = 0;
  #timer: Timer | null = null;

  /** @param afterWakeUp - called after each run of callbacks, to send what they have collected */
  constructor(clock: Clock, afterWakeUp: () => void) {
    this.#clock = clock;
    this.#afterWakeUp = afterWakeUp;
    this.#originMs = clock.monotonic();
  }

  /** Adds a call to the slot with the fewest calls. Returns the function that removes it. */
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

  /** The slot with the fewest calls; among equals the one that is due first. */
  #emptiestSlot(): Set<WheelCallback> {
    let best = this.#slotAt(this.#nextMs);
    for (let i = 1; i < TURN_MS; i++) {
      const slot = this.#slotAt(this.#nextMs + i);
      if (slot.size < best.size) best = slot;
    }
    return best;
  }

  /** Sets the timer to the next slot that has members; the timer is cancelled when the last member leaves. */
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
   * Runs the slots that are due, but no call twice: between two frames of a call its socket must be read, or the packets
   * that arrived during a stall would be lost as silence.
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
