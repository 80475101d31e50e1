/**
 * Asks the far end of a call to call somebody else instead of us (RFC 3515, a blind transfer as in RFC 5589) and
 * follows its reports to the result, along the table in `refer.rules.ts`. Ends no call: that is up to whoever asked.
 */
import type { AgentCore } from '../dialog/agent-core.ts';
import type { Authenticator } from '../dialog/authentication.ts';
import type { Received } from '../message/destination.ts';
import type { Dialog } from '../dialog/dialog.ts';
import { sendInDialog } from '../dialog/in-dialog-request.ts';
import { bodyText, headerValue, type SipRequest } from '../message/message.ts';
import {
  isReportOf,
  REFER_TABLE,
  statusOfFragment,
  type ReferEvent,
  type ReferResult,
} from './refer.rules.ts';
import type { ReferState } from './refer.rules.ts';
import type { Alarm } from '../transaction/timer-queue.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { formatHostPort, parseSipUri } from '../message/uri.ts';

/** Whom the far end is to call. */
export interface ReferWish {
  /** The user part: a number, escaped already. The host is the far end's own. */
  user: string;
  /** How long its reports are waited for, milliseconds. */
  limitMs: number;
}

/** What came of it, with the status that said so, if one did. */
export interface ReferOutcome {
  result: ReferResult;
  status: number | null;
}

/** Nobody was asked: there is no dialog in which it could be done (481). */
export const NOT_IN_A_CALL: ReferOutcome = { result: 'refusal', status: 481 };

/** What it is made of. */
export interface ReferParts {
  dialog: Dialog;
  authenticator: Authenticator;
  /** The dialog's CSeq number has changed. */
  onSent: () => void;
  /** Exactly once. */
  onOutcome: (outcome: ReferOutcome) => void;
}

/** One request of ours. */
export class Refer {
  readonly #core: AgentCore;
  readonly #parts: ReferParts;
  readonly #sequences: number[] = [];
  readonly #limit: Alarm;
  #state: ReferState = 'asked';

  constructor(core: AgentCore, parts: ReferParts, wish: ReferWish) {
    this.#core = core;
    this.#parts = parts;
    this.#limit = core.after(wish.limitMs, () => this.#apply('limit'));
    this.#send(wish.user);
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** A NOTIFY in the dialog; false (and unanswered) when it speaks of something else. */
  takeNotify({ message }: Received<SipRequest>, transaction: Transaction): boolean {
    if (!isReportOf(headerValue(message, 'Event'), this.#sequences)) return false;
    this.#core.respond(transaction, 200);
    const status = statusOfFragment(bodyText(message));
    if (status !== null && status >= 200) this.#apply(status < 300 ? 'succeeded' : 'failed', status);
    const subscription = headerValue(message, 'Subscription-State')?.trim().toLowerCase() ?? '';
    if (subscription.startsWith('terminated')) this.#apply('unsubscribed');
    return true;
  }

  /** The dialog is over, whoever ended it. */
  close(): void {
    this.#apply('dialog-over');
  }

  #send(user: string): void {
    const { dialog, authenticator } = this.#parts;
    const { host, port } = parseSipUri(dialog.remoteUri);
    const headers = [
      { name: 'Refer-To', value: `<sip:${user}@${formatHostPort(host, port)}>` },
      { name: 'Referred-By', value: `<${dialog.localUri}>` },
      this.#core.contact(dialog.destination.transport),
    ];
    const onSent = (): void => {
      this.#sequences.push(dialog.localSequence);
      this.#parts.onSent();
    };
    sendInDialog(this.#core, { dialog, authenticator, method: 'REFER', headers, onSent }, (status) => {
      if (status === null) this.#apply('unanswered');
      else this.#apply(status < 300 ? 'accepted' : 'refused', status);
    });
  }

  #apply(event: ReferEvent, status: number | null = null): void {
    const step = REFER_TABLE[this.#state][event];
    if (!step) return;
    this.#state = step.next;
    if (step.result === null) return;
    this.#limit.cancel();
    this.#parts.onOutcome({ result: step.result, status });
  }
}
