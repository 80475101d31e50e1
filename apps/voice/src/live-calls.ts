/** The calls that this process holds, its capacity, and draining. */
import { pause, type Clock } from '@parley/runtime';
import type { HangUpRequest } from './call-end.rules.ts';
import type { CallSupervision } from './supervision/call-supervision.ts';

/** A call held by this process, from the hand-over to the last stored fact. */
export interface LiveCall {
  readonly callId: number;
  /** For the internal contract: `opening`, `ringing`, `talking`, `ending`. */
  state(): string;
  hangUp(request: HangUpRequest): void;
  /** Absent for the second leg of a bridge; null while the call has no session. */
  supervision?(): CallSupervision | null;
  /** Begins to transfer the customer to that destination. @returns why it cannot, or null */
  transfer?(destination: string): string | null;
}

/** A slot for a call that is being accepted and is not in the registry yet. */
export interface SlotReservation {
  /** Set once the call has an id: in the registry, the call occupies the slot itself. */
  callId: number | null;
  /** Releasing twice is fine. */
  release(): void;
}

/** The registry of live calls. */
export class LiveCalls {
  readonly capacity: number;
  readonly #calls = new Map<number, LiveCall>();
  readonly #reservations = new Set<SlotReservation>();
  #isDraining = false;

  readonly #onChange: () => void;

  /** @param onChange - called when the number of free slots changes */
  constructor(capacity: number, onChange: () => void = () => undefined) {
    this.capacity = capacity;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** The number of free slots; 0 while draining. */
  get free(): number {
    return this.#isDraining ? 0 : Math.max(0, this.capacity - this.#calls.size - this.#reservedSlots());
  }

  /** True when the process can accept another call. */
  hasFreeSlot(): boolean {
    return this.free > 0;
  }

  /** Takes a slot before the first `await` of accepting a call, so that calls at the same time cannot share it. */
  reserve(): SlotReservation | null {
    if (!this.hasFreeSlot()) return null;
    const reservation: SlotReservation = {
      callId: null,
      release: () => {
        if (this.#reservations.delete(reservation)) this.#onChange();
      },
    };
    this.#reservations.add(reservation);
    this.#onChange();
    return reservation;
  }

  #reservedSlots(): number {
    const reservations = [...this.#reservations];
    return reservations.filter(({ callId }) => callId === null || !this.#calls.has(callId)).length;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Stops accepting calls; live calls continue. */
  drain(): void {
    this.#isDraining = true;
    this.#onChange();
  }

  find(callId: number): LiveCall | undefined {
    return this.#calls.get(callId);
  }

  add(call: LiveCall): void {
    this.#calls.set(call.callId, call);
    this.#onChange();
  }

  remove(call: LiveCall): void {
    if (this.#calls.get(call.callId) !== call) return;
    this.#calls.delete(call.callId);
    this.#onChange();
  }

  hangUpAll(request: HangUpRequest): void {
    for (const call of this.#calls.values()) call.hangUp(request);
  }

  /** Resolves when no call is left, when `limitMs` has passed, or when the signal is aborted. */
  async whenEmpty(clock: Clock, limitMs: number, signal?: AbortSignal): Promise<void> {
    const deadlineMs = clock.monotonic() + limitMs;
    while (this.#calls.size > 0 && clock.monotonic() < deadlineMs) {
      if (signal?.aborted) return;
      await pause(clock, 50, signal);
    }
  }
}
