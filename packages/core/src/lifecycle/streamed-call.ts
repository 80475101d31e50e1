/**
 * A call that a carrier holds on its side and streams to us. The carrier asks by HTTP what to do with the call; it is accepted
 * by the rules of a call over SIP, and assigned to a voice process. The carrier then connects a WebSocket, and shows the ticket
 * that it was given. Without the WebSocket, the sweep of unused tickets ends the call.
 */
import { statement, type LiveCallRow, type StoredQueue } from '@parley/db';
import { findLivingVoiceProcess, pickVoiceProcess, type VoiceFence } from '../capacity/lease.ts';
import { loadCallForVoice, type CallForVoice } from '../calls/load-call-for-voice.ts';
import { now, type CoreContext } from '../context.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';
import { acceptCallTo, type InboundRefusal } from './accept-inbound-call.ts';
import { findCarrierNumber } from './find-called-number.ts';

/** How long a ticket waits to be used, milliseconds. The carrier connects at once. */
const TICKET_MS = 20_000;

const NOT_FOUND = 404;
const SERVICE_UNAVAILABLE = 503;

/** What the carrier says about a call. */
export interface CarrierCallInput {
  carrierAccountId: number;
  /** E.164. */
  to: string;
  /** E.164, or empty for a caller who withholds the number. */
  from: string;
  callerName: string;
  /** The number that was called first, when it was forwarded; otherwise empty. */
  forwardedFrom: string;
  /** The carrier's id of the call. */
  carrierCallId: string;
}

/** The call, and a ticket that is valid once, for 20 s, and for this call only. */
export interface ExpectedStream {
  callId: number;
  ticket: string;
}

/** A repeated request of the carrier, whose answer was lost. Only the newest ticket is good. */
const replaceTicket = statement<{ callId: number }>(
  'replace_ticket_of_stream',
  `update live_calls set ticket_hash = $2, ticket_expires_at = $3
   where sip_call_id = $1 and type = 'inbound' and user_id = $4 and ticket_hash is not null and ticket_expires_at > $5
   returning call_id`,
);

const claimTicket = statement<Pick<LiveCallRow, 'callId'> & { queue: StoredQueue | null }>(
  'claim_streamed_call',
  `update live_calls l set ticket_hash = null, ticket_expires_at = null,
     voice_process_id = $3, intent_at = $2, invite_sent_at = $2
   where ticket_hash = $1 and ticket_expires_at > $2 and type = 'inbound'
     and ($4::text is null or sip_call_id = $4)
     and exists (select 1 from voice_processes where id = $3)
     and not exists (select 1 from users u where u.id = l.user_id and u.disabled_at is not null)
   returning call_id, case when queued_at is not null
     then (select n.inbound_route -> 'queue' from phone_numbers n where n.id = l.queue_number_id) end as queue`,
);

/** Writes the call, by the rules of a call that comes over SIP. Repeating it is harmless. */
export async function expectStream(
  ctx: CoreContext,
  input: CarrierCallInput,
): Promise<ExpectedStream | InboundRefusal> {
  const called = await findCarrierNumber(ctx, input.carrierAccountId, input.to);
  if (!called) return { reject: NOT_FOUND, reason: 'unknown_number' };
  const free = await pickVoiceProcess(ctx.db, { canWait: false });
  const process = free ?? (await findLivingVoiceProcess(ctx));
  if (!process) return { reject: SERVICE_UNAVAILABLE, reason: 'not_ready' };
  const secret = randomSecret();
  const ticket = { hash: hashSecret(secret), expiresAt: new Date(now(ctx).getTime() + TICKET_MS) };
  const { to, from, callerName, forwardedFrom, carrierCallId } = input;
  const arrived = { to, from, callerName, firstDiverting: forwardedFrom, sipCallId: carrierCallId, ticket };
  const held = {
    voiceProcess: { processId: process.id },
    capacity: { hasSlot: free !== null, hasQueueSlot: true },
  };
  const accepted = await acceptCallTo(ctx, { ...arrived, ...held }, called);
  if (!('reject' in accepted)) return { callId: accepted.id, ticket: secret };
  if (accepted.reason !== 'repeated') return accepted;
  const values = [carrierCallId, ticket.hash, ticket.expiresAt, called.userId, now(ctx)];
  const [waiting] = await ctx.db.query(replaceTicket, values);
  return waiting ? { callId: waiting.callId, ticket: secret } : accepted;
}

/** A call whose stream has come. `queue`: the caller waits first. */
export interface ClaimedStream {
  call: CallForVoice;
  queue: StoredQueue | null;
}

/**
 * @param input.carrierCallId - of the call that the stream belongs to, by the carrier; null: it may name the call otherwise than
 *   when it asked, so that the ticket alone says which call it is
 * @returns null when the ticket is unknown, used, too old or that of another call, when its user is disabled, or when the voice
 *   process has been fenced
 */
export async function claimStream(
  ctx: CoreContext,
  input: { ticket: string; carrierCallId: string | null; voiceProcess: VoiceFence },
): Promise<ClaimedStream | null> {
  const { ticket, carrierCallId, voiceProcess } = input;
  const values = [hashSecret(ticket), now(ctx), voiceProcess.processId, carrierCallId];
  const [claimed] = await ctx.db.query(claimTicket, values);
  if (!claimed) return null;
  return { call: await loadCallForVoice(ctx, claimed.callId), queue: claimed.queue };
}
