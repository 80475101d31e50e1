/**
 * The lite implementation of ICE (RFC 8445 section 2.5): an agent with addresses that the other one reaches, which answers
 * connectivity checks and sends none. We therefore ignore the candidates of browsers, whatever addresses they name, and
 * never send a packet to an address that has not proved, with the password of the call, that it sent one to us.
 *
 * What remains to a caller with a ticket who forges the sender of packets: one answer of 92 bytes or less for each check of
 * about 100, limited as below.
 */
import { randomBytes } from 'node:crypto';
import type { Address } from '../rtp/source-latch.ts';
import { readConnectivityCheck, writeCheckResponse } from './stun-message.ts';

/** Source addresses with an authentic check: a browser has one for each network interface and relay. */
const MOST_ADDRESSES = 16;
/** Browsers send about 20 checks in the first second and one in 2.5 s afterwards. */
const MOST_CHECKS_PER_SECOND = 50;

/** What we answer to a check, and what it says. */
export interface CheckAnswer {
  response: Uint8Array;
  isNominating: boolean;
}

/** The agent of one call; it has no socket. */
export class IceLite {
  /** RFC 8445 section 5.3: at least 24 bits of randomness for the fragment and 128 for the password. */
  readonly usernameFragment = randomBytes(6).toString('base64');
  readonly password = randomBytes(18).toString('base64');
  readonly #username: string;
  /** The addresses that sent an authentic check, and whether they were nominated. */
  readonly #checked = new Map<string, boolean>();
  #secondStartMs = -Infinity;
  #checksInSecond = 0;

  /** @param remoteFragment - of the browser; each check begins its user name with ours (section 7.2.2) */
  constructor(remoteFragment: string) {
    this.#username = `${this.usernameFragment}:${remoteFragment}`;
  }

  /** Takes a STUN datagram; null: nothing is answered. */
  check(datagram: Uint8Array, from: Address, nowMs: number): CheckAnswer | null {
    const check = readConnectivityCheck(datagram, { username: this.#username, password: this.password });
    // Strangers cannot use up the rate, because their checks are not authentic.
    if (!check || !this.#isWithinRate(nowMs)) return null;
    const key = keyOf(from);
    const isKnown = this.#checked.has(key);
    if (!isKnown && this.#checked.size === MOST_ADDRESSES) return null;
    this.#checked.set(key, check.isNominating || this.#checked.get(key) === true);
    return {
      response: writeCheckResponse(check.transactionId, from, this.password),
      isNominating: check.isNominating,
    };
  }

  /** Whether the browser has selected this address: only there we send DTLS and sound, and only from there we take them. */
  isNominated(address: Address): boolean {
    return this.#checked.get(keyOf(address)) === true;
  }

  #isWithinRate(nowMs: number): boolean {
    if (nowMs - this.#secondStartMs >= 1000) {
      this.#secondStartMs = nowMs;
      this.#checksInSecond = 0;
    }
    this.#checksInSecond++;
    return this.#checksInSecond <= MOST_CHECKS_PER_SECOND;
  }
}

function keyOf({ host, port }: Address): string {
  return `${host} ${port}`;
}
