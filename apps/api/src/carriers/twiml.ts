/**
 * What a carrier is to do with a call, in its markup: TwiML of Twilio, and TeXML of Telnyx, which has the same verbs.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 * @see https://developers.telnyx.com/docs/voice/programmable-voice/texml-verbs/stream
 */
import type { CarrierCallAnswer } from '@parley/core';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
/** Telnyx would play files of MP3 without them, and send the codec of the call. */
const TELNYX_SOUND =
  ' track="inbound_track" codec="PCMU" bidirectionalMode="rtp" bidirectionalCodec="PCMU" bidirectionalSamplingRate="8000"';

/**
 * The call is streamed until one side closes the stream, and then ended. A refused call is not answered. The
 * ticket is a parameter, because Twilio removes a query from the address of a stream.
 */
export function writeTwiml(answer: CarrierCallAnswer, carrier: 'twilio' | 'telnyx'): string {
  if ('reject' in answer) return `${HEAD}<Response><Reject reason="${answer.reject}"/></Response>`;
  const { url, ticket } = answer.stream;
  const sound = carrier === 'telnyx' ? TELNYX_SOUND : '';
  const stream = `<Stream url="${escape(url)}"${sound}><Parameter name="ticket" value="${escape(ticket)}"/></Stream>`;
  return `${HEAD}<Response><Connect>${stream}</Connect><Hangup/></Response>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
