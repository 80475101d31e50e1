/**
 * Extracts the fields of a SIP message that the log of the phones needs, line by line. It is deliberately independent of
 * `@parley/sip`: the product, including that library, is checked against this log.
 */

/** The fields of a message in the log. */
export interface WireFacts {
  /** The method of a request, for example `INVITE`. */
  method?: string;
  /** The status of a response. */
  status?: number;
  /** For a response: the method that it answers. */
  of?: string;
  callId: string;
  /** The user part of To, usually a number. */
  toUser: string;
  /** The number in CSeq. */
  sequence: number;
  /** The branch of the top Via: equal in retransmissions of a message, different in every other message. */
  branch: string;
}

/** @returns `null` for anything that is not a SIP message, such as a keep-alive */
export function scanWire(bytes: Uint8Array): WireFacts | null {
  const lines = Buffer.from(bytes).toString('latin1').split(/\r?\n/);
  const start = scanStart(lines[0] ?? '');
  if (!start) return null;
  const headers = lines.slice(1, lines.indexOf('', 1));
  const cseq = /^(\d+)\s+(\w+)/.exec(valueOf(headers, 'cseq', 'cseq'));
  const facts = {
    callId: valueOf(headers, 'call-id', 'i'),
    toUser: /sips?:([^@;>]{0,64})@/.exec(valueOf(headers, 'to', 't'))?.[1] ?? '',
    sequence: Number(cseq?.[1] ?? 0),
    branch: /;\s*branch=([^;,\s]+)/i.exec(valueOf(headers, 'via', 'v'))?.[1] ?? '',
  };
  return 'status' in start ? { ...start, of: cseq?.[2] ?? '', ...facts } : { ...start, ...facts };
}

function scanStart(line: string): { method: string } | { status: number } | null {
  const status = /^SIP\/2\.0 (\d{3})/.exec(line)?.[1];
  if (status !== undefined) return { status: Number(status) };
  const method = /^([A-Z]+) \S+ SIP\/2\.0$/.exec(line)?.[1];
  return method === undefined ? null : { method };
}

/** The first header of that name, in its long or its compact form. */
function valueOf(headers: readonly string[], name: string, compact: string): string {
  for (const header of headers) {
    const colon = header.indexOf(':');
    const given = header.slice(0, colon).trim().toLowerCase();
    if (given === name || given === compact) return header.slice(colon + 1).trim();
  }
  return '';
}
