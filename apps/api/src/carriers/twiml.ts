/**
 * What Twilio is to do with a call, in its markup.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 */
import type { CarrierCallAnswer } from '@parley/core';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

/**
 * The call is streamed until one side closes the stream, and then ended. A refused call is not answered. The
 * ticket is a parameter, because Twilio removes a query from the address of a stream.
 */
export function writeTwiml(answer: CarrierCallAnswer): string {
  if ('reject' in answer) return `${HEAD}<Response><Reject reason="${answer.reject}"/></Response>`;
  const { url, ticket } = answer.stream;
  const stream = `<Stream url="${escape(url)}"><Parameter name="ticket" value="${escape(ticket)}"/></Stream>`;
  return `${HEAD}<Response><Connect>${stream}</Connect><Hangup/></Response>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
