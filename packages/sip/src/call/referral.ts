/**
 * A REFER of the far end (RFC 3515): it asks us to call another party in its place. We are the transferee of RFC 5589, and
 * report with NOTIFY what becomes of that call, in the implicit subscription that the REFER has created. The subscription
 * ends with the call of the REFER; a far end that hangs up earlier gets no further report.
 */
import type { AgentCore } from '../dialog/agent-core.ts';
import type { Authenticator } from '../dialog/authentication.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { sendInDialog } from '../dialog/in-dialog-request.ts';
import { reasonOf } from '../message/build-response.ts';
import { headerValue, textBody, type HeaderField } from '../message/message.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** How long the far end may wait for the outcome, seconds: longer than the ring limit of any call. */
const SUBSCRIPTION_SECONDS = 180;
const SIPFRAG: HeaderField = { name: 'Content-Type', value: 'message/sipfrag;version=2.0' };
const NO_SUBSCRIPTION: HeaderField = { name: 'Refer-Sub', value: 'false' };
/** RFC 6665 section 4.2.2: the subscriber has forgotten the subscription. */
const NO_SUCH_SUBSCRIPTION = 481;

/** The dialog of a REFER. */
export interface ReferralParts {
  dialog: Dialog;
  authenticator: Authenticator;
  /** The dialog's CSeq number has changed. */
  onSent: () => void;
  /** Not the first REFER of the dialog: RFC 3515 section 2.4.6 then demands the `id`, its CSeq number, in each NOTIFY. */
  id: number | null;
}

/** One REFER that was received. */
export class Referral {
  readonly #core: AgentCore;
  readonly #transaction: Transaction;
  readonly #parts: ReferralParts;
  /** `silent`: accepted, without a subscription. */
  #state: 'asked' | 'accepted' | 'silent' | 'over' = 'asked';
  /** The NOTIFY in progress has no response yet: the next one waits, so that they arrive in order. */
  #isNotifying = false;
  #final: number | null = null;

  constructor(core: AgentCore, transaction: Transaction, parts: ReferralParts) {
    this.#core = core;
    this.#transaction = transaction;
    this.#parts = parts;
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** 202 (Accepted) with the first NOTIFY, or a refusal. RFC 3515 section 2.4.4: the first NOTIFY is sent at once. */
  answer(status: number): void {
    if (this.#state !== 'asked') return;
    const { dialog } = this.#parts;
    const isAccepted = status < 300;
    // RFC 4488 section 4: "If the REFER-Recipient [...] chooses not to create an implicit subscription, it MUST insert a
    // Refer-Sub header field set to "false" in the 2xx response".
    const isSilent = /^\s*false\b/i.test(headerValue(this.#transaction.request, 'Refer-Sub') ?? '');
    if (isAccepted) this.#state = isSilent ? 'silent' : 'accepted';
    else this.#state = 'over';
    const contact = this.#core.contact(dialog.destination, dialog.remoteTarget);
    const headers = isAccepted ? [contact, ...(isSilent ? [NO_SUBSCRIPTION] : [])] : [];
    this.#core.respond(this.#transaction, status, { toTag: dialog.localTag, headers });
    if (this.#state === 'accepted') this.#notify(100, `active;expires=${SUBSCRIPTION_SECONDS}`);
  }

  /** The final status of the call to the target, which ends the subscription. */
  report(status: number): void {
    const isSubscribed = this.#state === 'accepted';
    if (this.#state !== 'asked') this.#state = 'over';
    if (!isSubscribed) return;
    if (this.#isNotifying) this.#final = status;
    else this.#notifyFinal(status);
  }

  /** The dialog has ended. */
  close(): void {
    this.answer(NO_SUCH_SUBSCRIPTION);
    this.#state = 'over';
    this.#final = null;
  }

  /** RFC 3515 section 2.4.5: "noresource" says that the subscription ends because there is nothing more to report. */
  #notifyFinal(status: number): void {
    this.#notify(status, 'terminated;reason=noresource');
  }

  #notify(status: number, state: string): void {
    const { dialog, authenticator, onSent, id } = this.#parts;
    this.#isNotifying = true;
    const headers = [
      this.#core.contact(dialog.destination, dialog.remoteTarget),
      { name: 'Event', value: id === null ? 'refer' : `refer;id=${id}` },
      { name: 'Subscription-State', value: state },
      SIPFRAG,
    ];
    const body = textBody(`SIP/2.0 ${status} ${reasonOf(status)}\r\n`);
    sendInDialog(this.#core, { dialog, authenticator, method: 'NOTIFY', headers, body, onSent }, (answer) => {
      this.#isNotifying = false;
      const final = this.#final;
      this.#final = null;
      // A subscriber that does not answer has none either (RFC 6665 section 4.2.2).
      const isGone = answer === null || answer === NO_SUCH_SUBSCRIPTION;
      if (final !== null && !isGone) this.#notifyFinal(final);
      else if (isGone && this.#state === 'accepted') this.#state = 'silent';
    });
  }
}
