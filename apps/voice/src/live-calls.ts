/** The calls that this process holds, its capacity, and draining. */
import { pause, type Clock } from '@parley/runtime';
import type { DialedCarrierLeg } from '@parley/telephony';
import type { HangUpRequest } from './call-end.rules.ts';
import type { CallSupervision } from './supervision/call-supervision.ts';

/** A call held by this process, from the hand-over to the last stored fact. */
export interface LiveCall {
  readonly callId: number;
  /** For the internal contract: `opening`, `ringing`, `talking`, `ending`. */
  state(): string;
  hangUp(request: HangUpRequest): void;
  /** Another process goes on with the call. Absent where none can. */
  abandon?(): void;
  /** Absent for the second leg of a bridge; null while the call has no session. */
  supervision?(): CallSupervision | null;
  /** The leg that a carrier dials and streams to us; absent or null where there is none. */
  dialedLeg?(): DialedCarrierLeg | null;
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

/**
 * A slot for a caller who waits in a queue. It is none of the slots for conversations: music costs little. Callers whose
 * turn it is get the next of those that become free, before new calls.
 */
export interface QueueSlot {
  /** Makes the caller reachable for a hang-up. */
  hold(call: LiveCall): void;
  /** It is the turn of the caller, or not any more. */
  stall(isStalled: boolean): void;
  /** A slot, unless others whose turn came earlier take all that are free. Also while draining. */
  reserve(): SlotReservation | null;
  /** Releasing twice is fine. */
  release(): void;
}

/** Callers who may wait for each slot of the process. */
const WAITING_PER_SLOT = 2;

/** The registry of live calls. */
export class LiveCalls {
  readonly capacity: number;
  readonly #calls = new Map<number, LiveCall>();
  readonly #reservations = new Set<SlotReservation>();
  readonly #queueSlots = new Set<QueueSlot>();
  readonly #waiting = new Map<QueueSlot, LiveCall>();
  /** The callers who wait only for a slot of this process, in the order in which they became first in their queue. */
  readonly #stalled = new Set<QueueSlot>();
  #isDraining = false;

  readonly #onChange: () => void;

  /** @param onChange - called when the number of free slots changes */
  constructor(capacity: number, onChange: () => void = () => undefined) {
    this.capacity = capacity;
    this.#onChange = onChange;
  }

  /** Calls in a slot. */
  get size(): number {
    return this.#calls.size;
  }

  /** The number of free slots; 0 while draining. */
  get free(): number {
    return this.#isDraining ? 0 : Math.max(0, this.#unused() - this.#stalled.size);
  }

  /** The number of free queue slots; 0 while draining. */
  get freeQueueSlots(): number {
    return this.#isDraining ? 0 : this.capacity * WAITING_PER_SLOT - this.#queueSlots.size;
  }

  #unused(): number {
    return this.capacity - this.#calls.size - this.#reservedSlots();
  }

  /** True when the process can accept another call. */
  hasFreeSlot(): boolean {
    return this.free > 0;
  }

  /** Takes a slot before the first `await` of accepting a call, so that calls at the same time cannot share it. */
  reserve(): SlotReservation | null {
    return this.hasFreeSlot() ? this.#takeSlot() : null;
  }

  /** Takes a queue slot for a caller who may have to wait, also before the first `await`. */
  reserveQueueSlot(): QueueSlot | null {
    if (this.freeQueueSlots <= 0) return null;
    const queueSlot: QueueSlot = {
      hold: (call) => this.#waiting.set(queueSlot, call),
      stall: (isStalled) => {
        if (isStalled === this.#stalled.has(queueSlot)) return;
        if (isStalled) this.#stalled.add(queueSlot);
        else this.#stalled.delete(queueSlot);
        this.#onChange();
      },
      reserve: () => this.#slotFor(queueSlot),
      release: () => {
        this.#queueSlots.delete(queueSlot);
        this.#waiting.delete(queueSlot);
        this.#stalled.delete(queueSlot);
        this.#onChange();
      },
    };
    this.#queueSlots.add(queueSlot);
    this.#onChange();
    return queueSlot;
  }

  #slotFor(queueSlot: QueueSlot): SlotReservation | null {
    const before = [...this.#stalled].indexOf(queueSlot);
    const earlier = before === -1 ? this.#stalled.size : before;
    return this.#unused() > earlier ? this.#takeSlot() : null;
  }

  #takeSlot(): SlotReservation {
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
    return this.#calls.get(callId) ?? [...this.#waiting.values()].find((call) => call.callId === callId);
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
    for (const call of [...this.#calls.values(), ...this.#waiting.values()]) call.hangUp(request);
  }

  /** All calls that it holds. */
  get ids(): number[] {
    return [...this.#calls.keys()];
  }

  /** The process was fenced. @param others - the calls with which another process goes on */
  giveUpAll(others: ReadonlySet<number>): void {
    const request = { by: 'system', reason: 'process_lost' } as const;
    for (const call of [...this.#calls.values(), ...this.#waiting.values()]) {
      if (call.abandon && others.has(call.callId)) call.abandon();
      else call.hangUp(request);
    }
  }

  /** Resolves when no call is left, when `limitMs` has passed, or when the signal is aborted. */
  async whenEmpty(clock: Clock, limitMs: number, signal?: AbortSignal): Promise<void> {
    const deadlineMs = clock.monotonic() + limitMs;
    while (this.#calls.size + this.#queueSlots.size > 0 && clock.monotonic() < deadlineMs) {
      if (signal?.aborted) return;
      await pause(clock, 50, signal);
    }
  }
}
