/**
 * Sends a request other than INVITE inside a dialog, answers challenges to it, and sends it directly when the connection that our
 * own proxy has with the peer is closed. A request without a response ends with null.
 */
import type { AgentCore } from './agent-core.ts';
import type { Authenticator } from './authentication.ts';
import { isResponse, type Received } from '../message/destination.ts';
import { leaveFlow, requestInDialog, requestUri, type Dialog } from './dialog.ts';
import type { HeaderField, SipResponse } from '../message/message.ts';

/** The request to send. */
export interface InDialogRequest {
  dialog: Dialog;
  authenticator: Authenticator;
  method: string;
  headers?: readonly HeaderField[];
  body?: Uint8Array;
  /** The request was sent, or sent again with an answer to a challenge: the local CSeq number has changed. */
  onSent?: () => void;
}

/** RFC 5626 section 11.5: the next hop is reached through a connection that is closed. */
const FLOW_FAILED = 430;

/** Receives the final response with its status, or two nulls when there was none. */
export type OnFinal = (status: number | null, received: Received<SipResponse> | null) => void;

/** Sends the request. `onFinal` is called once. */
export function sendInDialog(core: AgentCore, request: InDialogRequest, onFinal: OnFinal): void {
  request.authenticator.beginRequest();
  sendOnce(core, request, onFinal);
}

function sendOnce(core: AgentCore, request: InDialogRequest, onFinal: OnFinal): void {
  const { dialog, authenticator, method } = request;
  const answers = authenticator.headersFor(method, requestUri(dialog), request.body);
  const body = request.body ? { body: request.body } : {};
  const headers = [
    ...answers,
    ...(request.headers ?? []),
    { name: 'User-Agent', value: core.options.userAgent },
  ];
  core.transactions.startClient(requestInDialog(dialog, method, { headers, ...body }), dialog.destination, {
    onMessage(received) {
      if (!isResponse(received) || received.message.status < 200) return;
      if (isSentAgain(request, received.message)) sendOnce(core, request, onFinal);
      else onFinal(received.message.status, received);
    },
    onTimeout: () => onFinal(null, null),
    onFault: () => onFinal(null, null),
  });
  request.onSent?.();
}

/** Whether a failed request is sent again, with an answer to the challenge or on another way. */
export function isSentAgain(
  { dialog, authenticator }: Pick<InDialogRequest, 'dialog' | 'authenticator'>,
  response: SipResponse,
): boolean {
  return authenticator.accept(response) || (response.status === FLOW_FAILED && leaveFlow(dialog));
}
