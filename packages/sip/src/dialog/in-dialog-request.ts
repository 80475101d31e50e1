/**
 * Sends a request inside a dialog and answers a challenge to it: BYE and REFER. An unanswered request ends as null.
 */
import type { AgentCore } from './agent-core.ts';
import type { Authenticator } from './authentication.ts';
import { isResponse } from '../message/destination.ts';
import { requestInDialog, requestUri, type Dialog } from './dialog.ts';
import type { HeaderField } from '../message/message.ts';

/** What is sent in whose name. */
export interface InDialogRequest {
  dialog: Dialog;
  authenticator: Authenticator;
  method: string;
  headers?: readonly HeaderField[];
  /** It left, or was repeated with an answer to a challenge: the dialog's CSeq number has changed. */
  onSent?: () => void;
}

/** Sends it; `onFinal` gets the final status once, or null when none came. */
export function sendInDialog(
  core: AgentCore,
  request: InDialogRequest,
  onFinal: (status: number | null) => void,
): void {
  request.authenticator.beginRequest();
  sendOnce(core, request, onFinal);
}

function sendOnce(core: AgentCore, request: InDialogRequest, onFinal: (status: number | null) => void): void {
  const { dialog, authenticator, method } = request;
  const answers = authenticator.headersFor(method, requestUri(dialog));
  const headers = [
    ...answers,
    ...(request.headers ?? []),
    { name: 'User-Agent', value: core.options.userAgent },
  ];
  core.transactions.startClient(requestInDialog(dialog, method, { headers }), dialog.destination, {
    onMessage(received) {
      if (!isResponse(received) || received.message.status < 200) return;
      if (authenticator.accept(received.message)) sendOnce(core, request, onFinal);
      else onFinal(received.message.status);
    },
    onTimeout: () => onFinal(null),
    onFault: () => onFinal(null),
  });
  request.onSent?.();
}
