/** Assigns a web call to the voice process to which the browser has connected with its ticket. */
import { statement, type LiveCallRow, type Tx } from '@parley/db';
import { announceCallEvents } from '../outbox/announce-events.ts';
import { now, type CoreContext } from '../context.ts';
import { hashSecret } from '../shared/random-secret.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { loadCallForVoice, type CallForVoice } from '../calls/load-call-for-voice.ts';

type ClaimedCall = Pick<LiveCallRow, 'callId' | 'callCreatedAt' | 'userId' | 'assistantId'>;

const claimTicket = statement<ClaimedCall>(
  'claim_web_call',
  `update live_calls set ticket_hash = null, ticket_expires_at = null,
     voice_process_id = $3, intent_at = $2, invite_sent_at = $2
   where ticket_hash = $1 and ticket_expires_at > $2 and type = 'web'
     and exists (select 1 from voice_processes where id = $3)
     and not exists (select 1 from users u where u.id = live_calls.user_id and u.disabled_at is not null)
     and exists (select 1 from assistants a where a.id = live_calls.assistant_id and a.deleted_at is null
       and (a.status = 'active' or not exists (select 1 from widget_calls w where w.call_id = live_calls.call_id)))
   returning call_id, call_created_at, user_id, assistant_id`,
);

/**
 * @returns null when the ticket is unknown, used or too old, when its user is disabled, when the assistant was deleted or, for a
 *   visitor of a web page, switched off, or when the voice process has been fenced
 */
export async function claimWebCall(
  ctx: CoreContext,
  input: { ticket: string; voiceProcess: VoiceFence },
): Promise<CallForVoice | null> {
  const values = [hashSecret(input.ticket), now(ctx), input.voiceProcess.processId];
  const claimed = await ctx.db.transaction(async (tx) => {
    const [call] = await tx.query(claimTicket, values);
    if (call) await announceStart(tx, call, now(ctx));
    return call;
  });
  return claimed ? loadCallForVoice(ctx, claimed.callId) : null;
}

/** A web call has no phone numbers, and no campaign. */
async function announceStart(tx: Tx, claimed: ClaimedCall, at: Date): Promise<void> {
  const { callId: id, callCreatedAt: createdAt, userId, assistantId } = claimed;
  const none = { clientPhoneNumber: '', assistantPhoneNumber: '', campaignId: null, leadId: null };
  const call = { id, createdAt, userId, assistantId, type: 'web', ...none } as const;
  await announceCallEvents(tx, call, { reports: [{ event: 'call.started' }], occurredAt: at, at });
}
