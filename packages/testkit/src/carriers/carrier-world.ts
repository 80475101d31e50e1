/** What a simulated carrier stores, and the faults that a test plants. Both simulators share it. */

import type { PhoneBehaviour, SimulatedDial } from './simulated-dial.ts';

/** A number that is sold or belongs to the account. */
export interface SimulatedNumber {
  /** The carrier's id. */
  ref: string;
  phoneNumber: string;
  country: string;
  type: 'local' | 'mobile' | 'toll_free';
  isSmsCapable: boolean;
  addressRequirements: 'none' | 'any' | 'local' | 'foreign';
  /** What calls to it are connected to. */
  trunkRef: string | null;
  /** Twilio: the application that says what happens to calls to it, in place of a trunk. */
  applicationRef: string | null;
  messagingProfileRef: string | null;
  /** How many look-ups it still stays hidden after its purchase: orders take time. */
  hiddenLookups: number;
}

/** A message that was accepted. */
export interface SimulatedSms {
  ref: string;
  from: string;
  to: string;
  body: string;
  status: string;
  createdAt: Date;
}

/** One thing that goes wrong, once. */
export interface CarrierFault {
  /** For requests whose method and path match, for example `POST .*\/Messages`. */
  on: RegExp;
  /**
   * `lose-answer`: the request is carried out, and the connection closed without an answer. `refuse`: it is not carried out,
   * and the connection closed. `rate-limit`: 429 with `Retry-After: 7`. `fail`: 503.
   */
  how: 'lose-answer' | 'refuse' | 'rate-limit' | 'fail';
}

/** Everything that a simulated account contains. */
export class CarrierWorld {
  readonly forSale: SimulatedNumber[] = [];
  readonly owned: SimulatedNumber[] = [];
  readonly messages: SimulatedSms[] = [];
  /** Resources by the path of their list. */
  readonly resources = new Map<string, Record<string, unknown>[]>();
  readonly faults: CarrierFault[] = [];
  /** The calls that were requested, in order. */
  readonly dials: SimulatedDial[] = [];
  /** What phones do that do not simply answer, by their numbers. */
  readonly phones = new Map<string, PhoneBehaviour>();
  /** Method and path of each request. */
  readonly requests: string[] = [];
  /** Purchases that were carried out. */
  purchases: string[] = [];
  /** For how many look-ups a number stays hidden after its purchase. */
  orderLookups = 0;
  accountStatus = 'active';
  #count = 0;

  /** 32 hexadecimal digits, new each time. */
  nextId(): string {
    this.#count += 1;
    return this.#count.toString(16).padStart(32, '0');
  }

  /** Offers a number. */
  sell(phoneNumber: string, changes: Partial<SimulatedNumber> = {}): void {
    this.forSale.push({
      ref: '',
      phoneNumber,
      country: 'US',
      type: 'local',
      isSmsCapable: true,
      addressRequirements: 'none',
      trunkRef: null,
      applicationRef: null,
      messagingProfileRef: null,
      hiddenLookups: 0,
      ...changes,
    });
  }

  /** Gives the account a number. @param ref - the carrier's id */
  own(phoneNumber: string, ref: string): void {
    this.sell(phoneNumber);
    this.buy(phoneNumber, ref);
    this.purchases = [];
  }

  /** @returns null when it is not on sale */
  buy(phoneNumber: string, ref: string): SimulatedNumber | null {
    const index = this.forSale.findIndex((number) => number.phoneNumber === phoneNumber);
    const [number] = index === -1 ? [] : this.forSale.splice(index, 1);
    if (!number) return null;
    const bought = { ...number, ref, hiddenLookups: this.orderLookups };
    this.owned.push(bought);
    this.purchases.push(phoneNumber);
    return bought;
  }

  /** The numbers that a look-up finds. */
  visible(): SimulatedNumber[] {
    const found = this.owned.filter(({ hiddenLookups }) => hiddenLookups === 0);
    for (const number of this.owned) number.hiddenLookups = Math.max(0, number.hiddenLookups - 1);
    return found;
  }

  /** The entries of a list, which exists from its first use. */
  list(path: string): Record<string, unknown>[] {
    const entries = this.resources.get(path) ?? [];
    this.resources.set(path, entries);
    return entries;
  }
}
