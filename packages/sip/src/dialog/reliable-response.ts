/**
 * Retransmits a reliable provisional response until its PRACK arrives, over every transport. RFC 3262 section 3: "with an
 * interval that starts at T1 seconds and doubles for each retransmission"; without a PRACK for 64*T1 seconds "the UAS
 * SHOULD reject the original request with a 5xx response."
 */
import type { AgentCore } from './agent-core.ts';
import type { Alarm } from '../transaction/timer-queue.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** One per reliable response sent. Its owner stops it when the PRACK arrives or a final response is sent. */
export class ReliableResponse {
  readonly #core: AgentCore;
  readonly #send: () => void;
  readonly #limit: Alarm;
  #next: Alarm | null = null;
  #intervalMs: number;

  constructor(
    core: AgentCore,
    sent: { transaction: Transaction; response: Uint8Array },
    onMissing: () => void,
  ) {
    this.#core = core;
    this.#intervalMs = core.timerValues.t1;
    this.#send = () => sent.transaction.apply('provisional', { response: sent.response });
    this.#limit = core.after(64 * core.timerValues.t1, () => {
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
    this.#intervalMs *= 2;
  }
}
