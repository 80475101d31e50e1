/** What can be answered of a request whose mandatory header fields are missing or malformed. */
import { defaultPort, isStream, type Destination } from './destination.ts';
import type { SipRequest } from './message.ts';
import { MalformedRequestError } from './parse-message.ts';
import { SipParseError } from './parse-error.ts';
import { splitList } from './scan.ts';
import { completeVia, formatVia, parseVia } from './via.ts';

/** The request with the fields that a response repeats, and the destination of that response. */
export interface AnswerableRequest {
  request: SipRequest;
  destination: Destination;
}

/** The request of an error, as far as it could be parsed; null for an error in anything else. */
export function requestOf(error: SipParseError): SipRequest | null {
  return error instanceof MalformedRequestError ? error.request : null;
}

/**
 * Null for an ACK, and when the Via does not show the destination of the response. RFC 4475 section 3.3.1, on a request
 * without Call-ID, From and To: "Ideally, it will respond with a 400 Bad Request error."
 */
export function answerableRequest(request: SipRequest, source: Destination): AnswerableRequest | null {
  if (request.method === 'ACK') return null;
  try {
    const completed = withCompleteVia(request, source);
    const vias = completed.headers.filter((field) => field.name === 'Via');
    if (vias.length === 0) return null;
    const [top = ''] = splitList(vias[0]?.value ?? '');
    const topVia = parseVia(top);
    const isToSource = isStream(source.transport) || topVia.params.has('rport');
    const port = isToSource ? source.port : (topVia.port ?? defaultPort(source.transport));
    const others = ['From', 'To', 'Call-ID', 'CSeq'].flatMap(
      (name) => completed.headers.find((field) => field.name === name) ?? [],
    );
    return {
      request: { ...completed, headers: [...vias, ...others] },
      destination: { ...source, port },
    };
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}

/** The request with the real source in its top Via (RFC 3261 section 18.2.1). @throws SipParseError */
export function withCompleteVia(request: SipRequest, source: Destination): SipRequest {
  const at = request.headers.findIndex((field) => field.name === 'Via');
  const field = request.headers[at];
  if (!field) return request;
  const [top = '', ...rest] = splitList(field.value);
  const value = [formatVia(completeVia(parseVia(top), source)), ...rest].join(', ');
  return { ...request, headers: request.headers.with(at, { name: 'Via', value }) };
}
