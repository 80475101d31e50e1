/** The SIP messages and RTP statistics of a call. Personal data, which is kept for some days and deleted with the call. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant, looseId } from './columns.ts';

/** One SIP message without secrets and without bodies other than session descriptions. */
export interface StoredSipMessage {
  /** Milliseconds since 1970-01-01 UTC. */
  atMs: number;
  isSent: boolean;
  transport: 'udp' | 'tcp' | 'tls';
  local: { host: string; port: number };
  remote: { host: string; port: number };
  text: string;
  isTruncated: boolean;
}

/** Counters of RTP. */
export interface StoredMediaStats {
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  /** The jitter of the received packets. */
  jitterMs: number;
  concealedFrames: number;
  /** As named in SDP. Older traces have none. */
  codec?: string;
  /** What the far end reports about the sent packets; null without a report. */
  far: { packetsLost: number; jitterMs: number; roundTripMs: number | null } | null;
}

export const SipTrace = defineEntity({
  name: 'SipTrace',
  tableName: 'sip_traces',
  indexes: [
    { name: 'sip_traces_created_at_index', properties: ['createdAt'] },
    { name: 'sip_traces_trunk_id_call_id_index', properties: ['trunkId', 'callId'] },
    { name: 'sip_traces_user_id_index', properties: ['userId'] },
  ],
  properties: {
    callId: looseId().primary().autoincrement(false),
    callCreatedAt: instant(),
    userId: looseId(),
    trunkId: looseId().strictNullable(),
    /** Members do not see the messages of a trunk of the operators. */
    isSharedTrunk: p.boolean(),
    messages: p.json<StoredSipMessage[]>(),
    /** Messages in the middle of the call that exceeded the limits. */
    omittedMessages: p.integer(),
    /** Null for a call that was not answered. */
    media: p.json<StoredMediaStats>().strictNullable(),
    createdAt: instant(),
  },
});

/** A row of {@link SipTrace}. */
export type SipTraceRow = InferEntity<typeof SipTrace>;
