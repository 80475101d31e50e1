/** The SIP trace of a call: its messages, and statistics of RTP. */
import { z } from 'zod';
import { isoMicrosecondsField } from './dates.ts';

const sipMessage = z
  .strictObject({
    at: isoMicrosecondsField,
    /** `out`: sent by Parley. */
    direction: z.enum(['in', 'out']),
    transport: z.enum(['udp', 'tcp', 'tls']),
    /** `address:port` of Parley. */
    local: z.string(),
    /** `address:port` of the far end. */
    remote: z.string(),
    /** The method of a request, or the status of a response and its method. */
    summary: z.string(),
    /** Without digest answers and keys, and without bodies other than session descriptions. */
    text: z.string(),
    /** True if only the beginning of a long message is kept. */
    is_truncated: z.boolean(),
  })
  .meta({ id: 'SipMessage' });

const sentRtp = z
  .strictObject({
    packets: z.int(),
    /** As the far end reports it by RTCP; null without a report. */
    lost: z.int().nullable(),
    jitter_ms: z.number().nullable(),
  })
  .meta({ id: 'SentRtp' });

const receivedRtp = z
  .strictObject({
    packets: z.int(),
    lost: z.int(),
    jitter_ms: z.number(),
    /** Frames of 20 ms that were replaced because their packets were missing or late. */
    concealed_frames: z.int(),
  })
  .meta({ id: 'ReceivedRtp' });

const rtpStatistics = z
  .strictObject({
    /** As named in SDP: PCMU, PCMA, G722 or opus; null for old calls. */
    codec: z.string().nullable(),
    sent: sentRtp,
    received: receivedRtp,
    /** Null without reports that allow it. */
    round_trip_ms: z.number().nullable(),
  })
  .meta({ id: 'RtpStatistics' });

const sipEncryption = z
  .strictObject({
    /** All messages went over TLS. */
    is_signalling_encrypted: z.boolean(),
    /** The audio was SRTP; null for a call that was not answered. */
    is_audio_encrypted: z.boolean().nullable(),
  })
  .meta({ id: 'SipEncryption' });

/** What GET /api/user/calls/{id}/sip-trace returns. */
export const sipTraceRecord = z
  .strictObject({
    call_id: z.int(),
    messages: z.array(sipMessage),
    /** Messages in the middle of the call that were not kept. */
    omitted_messages: z.int(),
    /** True if the messages are not shown, because the trunk belongs to the operators. */
    is_withheld: z.boolean(),
    /** Null without messages. */
    encryption: sipEncryption.nullable(),
    /** Null before the end of the call, and for a call that was not answered. */
    rtp: rtpStatistics.nullable(),
  })
  .meta({ id: 'SipTrace' });

/** A SIP trace as it is read. */
export type SipTraceRecord = z.output<typeof sipTraceRecord>;
/** One message of a SIP trace. */
export type SipMessageRecord = z.output<typeof sipMessage>;
