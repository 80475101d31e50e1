/** The calls this process holds now, how many it may hold, and their common end. */
import { pause, type Clock } from '@parley/runtime';
import type { HangUpRequest } from './call-end.rules.ts';

/** A call held by this process, from the hand-over to the last stored fact. */
export interface LiveCall {
  readonly callId: number;
  /** For the private contract: `opening`, `ringing`, `talking`, `ending`. */
  state(): string;
  hangUp(request: HangUpRequest): void;
}

/** Which calls live here. */
export class LiveCalls {
  readonly capacity: number;
  readonly #calls = new Map<number, LiveCall>();
  #isDraining = false;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** True when another call may come: not full, not draining. */
  hasRoom(): boolean {
    return !this.#isDraining && this.#calls.size < this.capacity;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on no call is taken; those that live go on. */
  drain(): void {
    this.#isDraining = true;
  }

  find(callId: number): LiveCall | undefined {
    return this.#calls.get(callId);
  }

  add(call: LiveCall): void {
    this.#calls.set(call.callId, call);
  }

  remove(call: LiveCall): void {
    if (this.#calls.get(call.callId) === call) this.#calls.delete(call.callId);
  }

  hangUpAll(request: HangUpRequest): void {
    for (const call of this.#calls.values()) call.hangUp(request);
  }

  /** Resolves when no call is left or `limitMs` has passed. */
  async whenEmpty(clock: Clock, limitMs: number): Promise<void> {
    const deadlineMs = clock.monotonic() + limitMs;
    while (this.#calls.size > 0 && clock.monotonic() < deadlineMs) await pause(clock, 50);
  }
}
