/** Which servers of a registrar hold our Contact, and until when. */
import type { TrunkTarget } from './dial-request.ts';

/** A server that holds our Contact, or may hold it. */
export interface HeldContact {
  target: TrunkTarget;
  /** Monotonic milliseconds. */
  untilMs: number;
  /** False: the request was sent, but its answer has not arrived. */
  isGranted: boolean;
}

/** One per registration. */
export class HeldContacts {
  readonly #held = new Map<string, HeldContact>();

  /** A grant replaces what was known of the server; a request without an answer can only prolong it. */
  note(contact: HeldContact): void {
    const key = serverKey(contact.target);
    const known = this.#held.get(key);
    if (contact.isGranted || !known || known.untilMs < contact.untilMs)
      this.#held.set(key, { ...contact, isGranted: contact.isGranted || known?.isGranted === true });
  }

  /** The server has removed it. */
  remove(target: TrunkTarget): void {
    this.#held.delete(serverKey(target));
  }

  /** Those with the latest grant first, then those that are uncertain. */
  at(nowMs: number): HeldContact[] {
    return [...this.#held.values()]
      .filter(({ untilMs }) => untilMs > nowMs)
      .toSorted((a, b) => Number(b.isGranted) - Number(a.isGranted) || b.untilMs - a.untilMs);
  }
}

function serverKey({ address, addressPort }: TrunkTarget): string {
  return `${address} ${addressPort}`;
}
