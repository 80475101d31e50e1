/**
 * The queue of a forecast: groups of equal leads, by the instant at which they are due. What is due is merged into as
 * few groups as there are kinds of leads, so that the queue stays small however long the run.
 */
import type { DialNumber } from '../dialing/dial-rule.rules.ts';

/** Leads that the rules cannot tell apart. */
export interface LeadGroup {
  leads: number;
  /** Milliseconds since 1970. */
  readyAtMs: number;
  /** From 1. */
  round: number;
  /** The `leadId` of the number whose turn it is. */
  turn: number;
  /** One lead for all: its own number, then its contacts. Equal groups share the array. */
  numbers: readonly DialNumber[];
}

/** Groups that are due later, and those that are due. */
export class ForecastQueue {
  /** Sorted by the instant, descending: the next one is the last. */
  readonly #later: LeadGroup[] = [];
  /** Due, in the order in which each kind came first. */
  readonly #due = new Map<string, LeadGroup>();
  readonly #kinds = new Map<readonly DialNumber[], number>();

  constructor(groups: readonly LeadGroup[], nowMs: number) {
    for (const group of groups) this.add({ ...group });
    this.moveTo(nowMs);
  }

  /** @param group - becomes the queue's own */
  add(group: LeadGroup): void {
    let low = 0;
    let high = this.#later.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#later[middle];
      if (other && other.readyAtMs > group.readyAtMs) low = middle + 1;
      else high = middle;
    }
    this.#later.splice(low, 0, group);
  }

  /** @returns true when a group is due at this instant */
  moveTo(nowMs: number): boolean {
    for (let next = this.#later.at(-1); next && next.readyAtMs <= nowMs; next = this.#later.at(-1)) {
      this.#later.pop();
      const key = this.#keyOf(next);
      const same = this.#due.get(key);
      if (same) same.leads += next.leads;
      else this.#due.set(key, next);
    }
    return this.#due.size > 0;
  }

  /** When the next group is due; null: no group is left that is due later. */
  nextMs(): number | null {
    return this.#later.at(-1)?.readyAtMs ?? null;
  }

  /** The due group that came first. */
  first(): LeadGroup | null {
    return this.#due.values().next().value ?? null;
  }

  /** Takes leads out of a due group. @returns a group of them alone */
  take(group: LeadGroup, leads: number): LeadGroup {
    const taken = { ...group, leads };
    group.leads -= leads;
    if (group.leads <= 0) this.#due.delete(this.#keyOf(group));
    return taken;
  }

  #keyOf({ numbers, round, turn }: LeadGroup): string {
    const kind = this.#kinds.get(numbers) ?? this.#kinds.size;
    this.#kinds.set(numbers, kind);
    return `${kind}:${round}:${turn}`;
  }
}
