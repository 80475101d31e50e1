/**
 * The SIP trace of a call: stored by the voice process after the call, read by its owner. SQL, because every call writes one,
 * and because the row must not outlive its call.
 */
import { isoMicroseconds, type SipMessageRecord, type SipTraceRecord } from '@parley/contracts';
import { json, statement, type SipTraceRow, type StoredMediaStats, type StoredSipMessage } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { findCallKey } from './read-call-events.ts';
import { formatAddress, summaryOf } from './sip-message.rules.ts';
import { writePcap } from './write-pcap.ts';

/** What a voice process has kept of a call. */
export interface KeptSipTrace {
  callId: number;
  /** Null when the call came over none that is known. */
  trunkId: number | null;
  /** The trunk belongs to the operators. */
  isSharedTrunk: boolean;
  messages: StoredSipMessage[];
  omitted: number;
  /** Null for a call that was not answered. */
  media: StoredMediaStats | null;
}

/** The lock of the call, so that the trace of a call that is being removed is not stored after it. */
const insertTrace = statement(
  'insert_sip_trace',
  `insert into sip_traces
     (call_id, call_created_at, user_id, trunk_id, is_shared_trunk, messages, omitted_messages, media, created_at)
   select c.id, c.created_at, c.user_id, $2, $3, $4, $5, $6, $7
   from (select id, created_at, user_id from calls where id = $1 for key share) c
   on conflict (call_id) do nothing`,
);
const selectTrace = statement<Pick<SipTraceRow, 'isSharedTrunk' | 'messages' | 'omittedMessages' | 'media'>>(
  'find_sip_trace',
  `select is_shared_trunk, messages, omitted_messages, media from sip_traces where call_id = $1 and user_id = $2`,
);

/** May be repeated; does nothing when the call is gone. */
export async function storeSipTrace(ctx: CoreContext, trace: KeptSipTrace): Promise<void> {
  const { callId, trunkId, isSharedTrunk, messages, omitted, media } = trace;
  const stored = media === null ? null : json(media);
  await ctx.db.query(insertTrace, [
    callId,
    trunkId,
    isSharedTrunk,
    json(messages),
    omitted,
    stored,
    now(ctx),
  ]);
}

/**
 * @returns no messages when there are none, or none any more
 * @throws DomainError `not-found`, also for another user's call
 */
export async function findSipTrace(
  ctx: CoreContext,
  identity: Identity,
  callId: number,
): Promise<SipTraceRecord> {
  const { row, isWithheld, messages } = await readTrace(ctx, identity, callId);
  return {
    call_id: callId,
    messages: messages.map(messageRecord),
    omitted_messages: row?.omittedMessages ?? 0,
    is_withheld: isWithheld,
    encryption: row ? encryptionRecord(row) : null,
    rtp: row?.media ? rtpRecord(row.media) : null,
  };
}

/**
 * The same messages as a capture file.
 *
 * @throws DomainError like {@link findSipTrace}
 */
export async function findSipCapture(
  ctx: CoreContext,
  identity: Identity,
  callId: number,
): Promise<Uint8Array> {
  const { messages } = await readTrace(ctx, identity, callId);
  return writePcap(
    messages.map(({ atMs, isSent, local, remote, text }) => ({
      atMs,
      source: isSent ? local : remote,
      destination: isSent ? remote : local,
      payload: new TextEncoder().encode(text),
    })),
  );
}

async function readTrace(ctx: CoreContext, identity: Identity, callId: number) {
  await findCallKey(ctx, identity, callId);
  const [row] = await ctx.db.query(selectTrace, [callId, identity.userId]);
  const isWithheld = row !== undefined && row.isSharedTrunk && identity.role !== 'operator';
  return { row, isWithheld, messages: row && !isWithheld ? row.messages : [] };
}

function messageRecord(message: StoredSipMessage): SipMessageRecord {
  const { atMs, isSent, transport, local, remote, text, isTruncated } = message;
  return {
    at: isoMicroseconds(new Date(atMs)),
    direction: isSent ? 'out' : 'in',
    transport,
    local: formatAddress(local),
    remote: formatAddress(remote),
    summary: summaryOf(text),
    text,
    is_truncated: isTruncated,
  };
}

/** Parley describes its audio as SRTP only where the call must have it, so that its own descriptions tell. */
function encryptionRecord({
  messages,
  media,
}: Pick<SipTraceRow, 'messages' | 'media'>): SipTraceRecord['encryption'] {
  if (messages.length === 0) return null;
  const isSecured = messages.some(({ isSent, text }) => isSent && /^m=audio \d+ RTP\/SAVP/m.test(text));
  return {
    is_signalling_encrypted: messages.every(({ transport }) => transport === 'tls'),
    is_audio_encrypted: media === null ? null : isSecured,
  };
}

function rtpRecord(media: StoredMediaStats): SipTraceRecord['rtp'] {
  const { packetsSent, packetsReceived, packetsLost, jitterMs, concealedFrames, far } = media;
  return {
    codec: media.codec ?? null,
    sent: {
      packets: packetsSent,
      lost: far?.packetsLost ?? null,
      jitter_ms: far ? rounded(far.jitterMs) : null,
    },
    received: {
      packets: packetsReceived,
      lost: packetsLost,
      jitter_ms: rounded(jitterMs),
      concealed_frames: concealedFrames,
    },
    round_trip_ms: far && far.roundTripMs !== null ? rounded(far.roundTripMs) : null,
  };
}

/** To tenths. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
