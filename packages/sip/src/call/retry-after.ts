/** Retry-After (RFC 3261 section 20.33): seconds, and perhaps a comment and parameters, which are not used. */
import { headerValue, type SipResponse } from '../message/message.ts';

/** Milliseconds; null without a valid one. */
export function retryAfterMs(response: SipResponse): number | null {
  const seconds = /^\d{1,5}/.exec(headerValue(response, 'Retry-After') ?? '')?.[0];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
