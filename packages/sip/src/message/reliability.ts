/**
 * The header fields of reliable provisional responses (RFC 3262 sections 7.1 and 7.2): RSeq numbers a response, RAck names
 * the response that a PRACK acknowledges.
 */
import { hasOption, RELIABLE } from './extensions.ts';
import { malformed } from './parse-error.ts';
import { headerValue, type HeaderField, type SipRequest, type SipResponse } from './message.ts';

const NUMBER = /^\d{1,10}$/;
const RACK = /^(\d{1,10})\s+(\d{1,10})\s+(\S+)$/;

/** The RSeq of a provisional response that has to be acknowledged with PRACK, otherwise null. */
export function reliableNumber(response: SipResponse): number | null {
  const { status } = response;
  const text = headerValue(response, 'RSeq')?.trim() ?? '';
  if (status <= 100 || status >= 200 || !hasOption(response, 'Require', RELIABLE)) return null;
  return NUMBER.test(text) ? Number(text) : null;
}

/** The fields that make a provisional response reliable. */
export function reliableFields(number: number): HeaderField[] {
  return [
    { name: 'Require', value: RELIABLE },
    { name: 'RSeq', value: `${number}` },
  ];
}

/** The RAck of the PRACK for a response. `sequence` is the CSeq number of the INVITE. */
export function rackFor(number: number, sequence: number): HeaderField {
  return { name: 'RAck', value: `${number} ${sequence} INVITE` };
}

/** A PRACK names what it acknowledges in RAck (RFC 3262 section 7.2). @throws SipParseError when it is missing or malformed */
export function requireRack(prack: SipRequest): void {
  if (!RACK.test(headerValue(prack, 'RAck')?.trim() ?? ''))
    throw malformed('RAck is missing or has a wrong form');
}

/** Whether a PRACK acknowledges that response. */
export function isAcknowledging(prack: SipRequest, number: number, sequence: number): boolean {
  const [, rseq, cseq, method] = RACK.exec(headerValue(prack, 'RAck')?.trim() ?? '') ?? [];
  return Number(rseq) === number && Number(cseq) === sequence && method === 'INVITE';
}
