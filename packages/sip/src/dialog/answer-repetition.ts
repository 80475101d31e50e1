/**
 * Retransmits a 2xx to an INVITE until its ACK arrives, over every transport, because a proxy in between may use UDP.
 * RFC 3261 section 13.3.1.4: "If the server retransmits the 2xx response for 64*T1 seconds without receiving an ACK, the
 * dialog is confirmed, but the session SHOULD be terminated."
 */
import type { AgentCore } from './agent-core.ts';
import type { Alarm } from '../transaction/timer-queue.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** One per 2xx sent. Its owner stops it when the ACK arrives or the call ends. */
export class AnswerRepetition {
  /** The CSeq number of the INVITE and of its ACK. */
  readonly sequence: number;
  readonly #core: AgentCore;
  readonly #send: () => void;
  readonly #limit: Alarm;
  #next: Alarm | null = null;
  #intervalMs: number;

  constructor(
    core: AgentCore,
    answer: { transaction: Transaction; response: Uint8Array; sequence: number },
    onMissing: () => void,
  ) {
    this.#core = core;
    this.sequence = answer.sequence;
    this.#intervalMs = core.timerValues.t1;
    this.#send = () => answer.transaction.apply('success', { response: answer.response });
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
    this.#intervalMs = Math.min(this.#intervalMs * 2, this.#core.timerValues.t2);
  }
}
