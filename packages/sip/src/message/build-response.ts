/**
 * Builds responses from their requests (RFC 3261 section 8.2.6).
 */
import { EMPTY_BODY, headerValues, type HeaderField, type SipRequest, type SipResponse } from './message.ts';

const REASONS: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  183: 'Session Progress',
  200: 'OK',
  202: 'Accepted',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  422: 'Session Interval Too Small',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  486: 'Busy Here',
  487: 'Request Terminated',
  430: 'Flow Failed',
  469: 'Bad Info Package',
  488: 'Not Acceptable Here',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  505: 'Version Not Supported',
  600: 'Busy Everywhere',
  603: 'Decline',
};

/** What a response adds to the fields that it copies from its request. */
export interface ResponseExtras {
  /** Our tag, added to To unless To has one. */
  toTag?: string;
  headers?: readonly HeaderField[];
  body?: Uint8Array;
  /** What is wrong with the request, without anything from it; the reason phrase contains it. */
  fault?: string;
}

const COPIED = ['Via', 'From', 'To', 'Call-ID', 'CSeq'];

/**
 * A response with Via, From, To, Call-ID and CSeq copied from the request. RFC 3261 section 8.2.6.1: "When a 100 (Trying) response
 * is generated, any Timestamp header field present in the request MUST be copied into this 100 (Trying) response."
 */
export function buildResponse(request: SipRequest, status: number, extras: ResponseExtras = {}): SipResponse {
  const copied = [...COPIED, ...(status === 100 ? ['Timestamp'] : [])].flatMap((name) =>
    headerValues(request, name).map((value) => ({
      name,
      value: name === 'To' ? withTag(value, extras.toTag) : value,
    })),
  );
  return {
    kind: 'response',
    status,
    reason: extras.fault === undefined ? reasonOf(status) : `${reasonOf(status)}: ${extras.fault}`,
    headers: [...copied, ...(extras.headers ?? [])],
    body: extras.body ?? EMPTY_BODY,
  };
}

/** RFC 3261 section 12.1.1: "the UAS MUST copy all Record-Route header field values from the request into the response". */
export function recordRoutes(request: SipRequest): HeaderField[] {
  return headerValues(request, 'Record-Route').map((value) => ({ name: 'Record-Route', value }));
}

function withTag(to: string, tag: string | undefined): string {
  const parameters = to.slice(to.lastIndexOf('>') + 1);
  if (tag === undefined || /;\s*tag\s*=/i.test(parameters)) return to;
  return `${to};tag=${tag}`;
}

/** The reason phrase of a status. */
export function reasonOf(status: number): string {
  return REASONS[status] ?? 'Unknown';
}
