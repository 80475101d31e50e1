/** Answers an INFO request (RFC 6086) and finds the key in it. */
import type { AgentCore } from '../dialog/agent-core.ts';
import { parseKeyInfo } from '../media/key-info.ts';
import type { Received } from '../message/destination.ts';
import { bodyText, headerValue, type HeaderField, type SipRequest } from '../message/message.ts';
import { isBodyOptional } from '../message/session-description.ts';
import type { Transaction } from '../transaction/transaction.ts';

const BAD_INFO_PACKAGE = 469;
/** We are willing to receive no package: keys come without one. */
const RECV_INFO: HeaderField = { name: 'Recv-Info', value: '' };
/** RFC 3261 section 21.4.13: "The server MUST return a list of acceptable formats using the Accept [...] header field". */
const ACCEPT_KEYS: HeaderField = { name: 'Accept', value: 'application/dtmf-relay, application/dtmf' };

/** A key that is sent as INFO. */
export interface KeyInfo {
  digit: string;
  durationMs: number;
}

/**
 * RFC 6086 section 4.2.2 demands 469 with Recv-Info for a package that we have not offered to receive.
 *
 * @returns null for an INFO without a key
 */
export function answerInfo(
  core: AgentCore,
  { message }: Received<SipRequest>,
  transaction: Transaction,
): KeyInfo | null {
  if (headerValue(message, 'Info-Package') !== null) {
    core.respond(transaction, BAD_INFO_PACKAGE, { headers: [RECV_INFO] });
    return null;
  }
  const key = parseKeyInfo(headerValue(message, 'Content-Type') ?? '', bodyText(message));
  const isUnderstood = key !== null || message.body.length === 0 || isBodyOptional(message);
  if (isUnderstood) core.respond(transaction, 200);
  else core.respond(transaction, 415, { headers: [ACCEPT_KEYS] });
  return key;
}
