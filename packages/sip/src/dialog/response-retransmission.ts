/**
 * Retransmits a response of ours until it is acknowledged, over every transport, because a proxy in between may use UDP.
 *
 * - A 2xx to an INVITE, until its ACK. RFC 3261 section 13.3.1.4: "If the server retransmits the 2xx response for 64*T1
 *   seconds without receiving an ACK, the dialog is confirmed, but the session SHOULD be terminated."
 * - A reliable provisional response, until its PRACK. RFC 3262 section 3: "with an interval that starts at T1 seconds and
 *   doubles for each retransmission"; without a PRACK for 64*T1 seconds "the UAS SHOULD reject the original request with a
 *   5xx response."
 */
import type { AgentCore } from './agent-core.ts';
import type { Alarm } from '../transaction/timer-queue.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** The response that is repeated. */
export interface RepeatedResponse {
  transaction: Transaction;
  event: 'provisional' | 'success';
  response: Uint8Array;
  /** Identifies the acknowledgement: the CSeq number of an ACK, or the RSeq number of a PRACK. */
  number: number;
}

/** One per response. Its owner stops it when the acknowledgement arrives or the call ends. */
export class ResponseRetransmission {
  readonly number: number;
  readonly #core: AgentCore;
  readonly #send: () => void;
  /** Only the interval of a 2xx stops growing, at T2. */
  readonly #longestMs: number;
  readonly #limit: Alarm;
  #next: Alarm | null = null;
  #intervalMs: number;

  constructor(
    core: AgentCore,
    { transaction, event, response, number }: RepeatedResponse,
    onMissing: () => void,
  ) {
    const { t1, t2 } = core.timerValues;
    this.#core = core;
    this.number = number;
    this.#intervalMs = t1;
    this.#longestMs = event === 'success' ? t2 : Infinity;
    this.#send = () => transaction.apply(event, { response });
    this.#limit = core.after(64 * t1, () => {
      this.stop();
      onMissing();
    });
    this.#repeat();
  }

  /** Harmless when repeated. */
  stop(): void {
    this.#next?.cancel();
    this.#limit.cancel();
  }

  #repeat(): void {
    this.#send();
    this.#next = this.#core.after(this.#intervalMs, () => this.#repeat());
    this.#intervalMs = Math.min(this.#intervalMs * 2, this.#longestMs);
  }
}
