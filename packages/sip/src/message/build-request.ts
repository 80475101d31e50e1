/**
 * Builds our requests (RFC 3261 section 8.1.1). The transaction layer adds our Via.
 */
import { EMPTY_BODY, headerList, headerValue, headerValues } from './message.ts';
import type { HeaderField, SipRequest, SipResponse } from './message.ts';
import { formatNameAddr, type NameAddr } from './name-addr.ts';
import { isToken } from './scan.ts';

const MAX_FORWARDS = '70';

/** The parts of a request. */
export interface RequestParts {
  method: string;
  uri: string;
  from: NameAddr;
  to: NameAddr;
  callId: string;
  sequence: number;
  /** Route entries, each with its brackets. */
  routes?: readonly string[];
  headers?: readonly HeaderField[];
  body?: Uint8Array;
}

/** Builds a request. @throws TypeError on a header name that is not a token: a programming error */
export function buildRequest(parts: RequestParts): SipRequest {
  const extra = parts.headers ?? [];
  if (extra.some((field) => !isToken(field.name))) throw new TypeError('A header name must be a token');
  return {
    kind: 'request',
    method: parts.method,
    uri: parts.uri,
    headers: [
      { name: 'Max-Forwards', value: MAX_FORWARDS },
      { name: 'From', value: formatNameAddr(parts.from) },
      { name: 'To', value: formatNameAddr(parts.to) },
      { name: 'Call-ID', value: parts.callId },
      { name: 'CSeq', value: `${parts.sequence} ${parts.method}` },
      ...(parts.routes ?? []).map((value) => ({ name: 'Route', value })),
      ...extra,
    ],
    body: parts.body ?? EMPTY_BODY,
  };
}

/**
 * The ACK of a final response other than 2xx, with the To of that response. RFC 3261 section 17.1.1.3: "The ACK MUST
 * contain a single Via header field, and this MUST be equal to the top Via header field of the original request."
 */
export function ackForFailure(invite: SipRequest, response: SipResponse): SipRequest {
  return sameTransaction(invite, 'ACK', headerValue(response, 'To') ?? headerValue(invite, 'To') ?? '');
}

/** The CANCEL of an INVITE: same Via branch, Request-URI, routes and To (RFC 3261 section 9.1). */
export function cancelFor(invite: SipRequest): SipRequest {
  return sameTransaction(invite, 'CANCEL', headerValue(invite, 'To') ?? '');
}

function sameTransaction(invite: SipRequest, method: string, to: string): SipRequest {
  const topVia = headerList(invite, 'Via')[0] ?? '';
  const sequence = headerValue(invite, 'CSeq')?.split(' ')[0] ?? '1';
  return {
    kind: 'request',
    method,
    uri: invite.uri,
    headers: [
      { name: 'Via', value: topVia },
      { name: 'Max-Forwards', value: MAX_FORWARDS },
      { name: 'From', value: headerValue(invite, 'From') ?? '' },
      { name: 'To', value: to },
      { name: 'Call-ID', value: headerValue(invite, 'Call-ID') ?? '' },
      { name: 'CSeq', value: `${sequence} ${method}` },
      ...headerValues(invite, 'Route').map((value) => ({ name: 'Route', value })),
    ],
    body: EMPTY_BODY,
  };
}
