/**
 * What a carrier does with a call that is streamed, in its markup: TwiML of Twilio, and TeXML of Telnyx, which has the same verbs.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 * @see https://developers.telnyx.com/docs/voice/programmable-voice/texml-verbs/stream
 */
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
/** Telnyx would play files of MP3 without them, and send the codec of the call. */
const TELNYX_SOUND =
  ' track="inbound_track" codec="PCMU" bidirectionalMode="rtp" bidirectionalCodec="PCMU" bidirectionalSamplingRate="8000"';

/** Where a call is to be streamed, and the ticket that is to be shown there. */
export interface StreamPlan {
  url: string;
  ticket: string;
}

/**
 * The call is streamed until one side closes the stream, or until the connection fails, and then ended. The ticket is a parameter,
 * because Twilio removes a query from the address of a stream.
 */
export function writeStreamTwiml({ url, ticket }: StreamPlan, carrier: 'twilio' | 'telnyx'): string {
  const sound = carrier === 'telnyx' ? TELNYX_SOUND : '';
  const stream = `<Stream url="${escape(url)}"${sound}><Parameter name="ticket" value="${escape(ticket)}"/></Stream>`;
  return `${HEAD}<Response><Connect>${stream}</Connect><Hangup/></Response>`;
}

/** The call is not answered. */
export function writeRejectTwiml(reason: 'busy' | 'rejected'): string {
  return `${HEAD}<Response><Reject reason="${reason}"/></Response>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
