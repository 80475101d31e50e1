/**
 * Sends a re-INVITE (RFC 3261 section 14.1), again where that is possible after its failure, and acknowledges every copy of its 2xx.
 */
import type { AgentCore } from './agent-core.ts';
import { requestInDialog, requestUri } from './dialog.ts';
import { isSentAgain, type InDialogRequest, type OnFinal } from './in-dialog-request.ts';
import { isResponse, type Received } from '../message/destination.ts';
import { headerValues, type HeaderField, type SipRequest, type SipResponse } from '../message/message.ts';

const CREDENTIALS = ['Authorization', 'Proxy-Authorization'] as const;

/** The header fields that authenticate a request. Section 13.2.2.4: an ACK has "the same credentials as the INVITE". */
export function credentialsOf(request: SipRequest): HeaderField[] {
  return CREDENTIALS.flatMap((name) => headerValues(request, name).map((value) => ({ name, value })));
}

/** Sends the re-INVITE. `onFinal` gets the final status once, or null when there was no response. */
export function sendReInvite(
  core: AgentCore,
  request: Omit<InDialogRequest, 'method'>,
  onFinal: OnFinal,
): void {
  request.authenticator.beginRequest();
  sendOnce(core, request, onFinal);
}

function sendOnce(core: AgentCore, request: Omit<InDialogRequest, 'method'>, onFinal: OnFinal): void {
  const { dialog, authenticator, headers = [], body } = request;
  const invite = requestInDialog(dialog, 'INVITE', {
    headers: [
      ...authenticator.headersFor('INVITE', requestUri(dialog), body),
      ...headers,
      { name: 'User-Agent', value: core.options.userAgent },
    ],
    ...(body ? { body } : {}),
  });
  let acknowledge: (() => void) | null = null;
  const takeFinal = (received: Received<SipResponse>): void => {
    const { status } = received.message;
    if (acknowledge) return acknowledge();
    if (status >= 300) {
      if (isSentAgain(request, received.message)) sendOnce(core, request, onFinal);
      else onFinal(status, received);
      return;
    }
    acknowledge = acknowledgement(core, request, { invite, received });
    acknowledge();
    onFinal(status, received);
  };
  core.transactions.startClient(invite, dialog.destination, {
    onMessage: (received) => isResponse(received) && received.message.status >= 200 && takeFinal(received),
    onTimeout: () => onFinal(null, null),
    onFault: () => onFinal(null, null),
  });
  request.onSent?.();
}

/** Sends the same ACK each time it is called. */
function acknowledgement(
  core: AgentCore,
  { dialog }: Omit<InDialogRequest, 'method'>,
  { invite, received }: { invite: SipRequest; received: Received<SipResponse> },
): () => void {
  const { number: sequence } = received.envelope.sequence;
  const ack = requestInDialog(dialog, 'ACK', { sequence, headers: credentialsOf(invite) });
  const bytes = core.transactions.statelessRequest(ack, dialog.destination);
  return () => core.send(bytes, dialog.destination, null);
}
