/**
 * A blind transfer (RFC 5589): sends REFER (RFC 3515) and follows the reports to the outcome along the table in
 * `refer.rules.ts`. It never ends the call; the application does.
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
import { formatHostPort, parseSipUri, uriScheme } from '../message/uri.ts';

/** A transfer requested by the application. */
export interface ReferRequest {
  /** The user part of the target: an escaped number. The host is that of the far end, see {@link hostOf}. */
  user: string;
  /** How long to wait for a final report, milliseconds. */
  limitMs: number;
}

/** The outcome of a transfer, with the SIP status that reported it, if any. */
export interface ReferOutcome {
  result: ReferResult;
  status: number | null;
}

/** The outcome without an answered call: there is no dialog for a REFER (481). */
export const NOT_IN_A_CALL: ReferOutcome = { result: 'refusal', status: 481 };

/** The dialog of a transfer and its listeners. */
export interface ReferParts {
  dialog: Dialog;
  authenticator: Authenticator;
  /** The dialog's CSeq number has changed. */
  onSent: () => void;
  /** Exactly once. */
  onOutcome: (outcome: ReferOutcome) => void;
}

/** One transfer. */
export class Refer {
  readonly #core: AgentCore;
  readonly #parts: ReferParts;
  readonly #sequences: number[] = [];
  readonly #limit: Alarm;
  #state: ReferState = 'sent';

  constructor(core: AgentCore, parts: ReferParts, request: ReferRequest) {
    this.#core = core;
    this.#parts = parts;
    this.#limit = core.after(request.limitMs, () => this.#apply('limit'));
    this.#send(request.user);
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** Takes a NOTIFY of the dialog. Returns false, without a response, when it belongs to another subscription. */
  takeNotify({ message }: Received<SipRequest>, transaction: Transaction): boolean {
    if (!isReportOf(headerValue(message, 'Event'), this.#sequences)) return false;
    this.#core.respond(transaction, 200);
    const status = statusOfFragment(bodyText(message));
    if (status !== null && status >= 200) this.#apply(status < 300 ? 'succeeded' : 'failed', status);
    const subscription = headerValue(message, 'Subscription-State')?.trim().toLowerCase() ?? '';
    if (subscription.startsWith('terminated')) this.#apply('unsubscribed');
    return true;
  }

  /** The dialog has ended. */
  close(): void {
    this.#apply('dialog-over');
  }

  #send(user: string): void {
    const { dialog, authenticator } = this.#parts;
    const headers = [
      { name: 'Refer-To', value: `<sip:${user}@${hostOf(dialog)}>` },
      { name: 'Referred-By', value: `<${dialog.localUri}>` },
      this.#core.contact(dialog.destination, dialog.remoteTarget),
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

/**
 * The host of the far end, as it names itself in From or To. A caller that names a `tel:` URI there, or that is anonymous and names a
 * host in `.invalid` (RFC 3323), is reached at its Contact.
 */
function hostOf({ remoteUri, remoteTarget }: Pick<Dialog, 'remoteUri' | 'remoteTarget'>): string {
  const named = uriScheme(remoteUri) === 'tel' ? null : parseSipUri(remoteUri);
  const { host, port } = named && !/(?:^|\.)invalid$/.test(named.host) ? named : parseSipUri(remoteTarget);
  return formatHostPort(host, port);
}
