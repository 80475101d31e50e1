/**
 * Step 5 of a call's way, the last moment before the INVITE: voice asks whether it may be sent. Whoever is told yes is
 * the only one, ever: of any number of askers one wins, and from then on the attempt counts.
 */
import { statement, type Tx } from '@parley/db';
import { checkCampaignDial, type DialObstacle } from '../campaigns/check-dial.ts';
import { now, type CoreContext } from '../context.ts';
import { isOnDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { applyCallEvent } from './apply-call-event.ts';
import { addCallEvent } from './call-events.ts';
import { lockCall } from './lock-call.ts';

/**
 * Why an INVITE must not leave. The first four leave the call as it is: it is over, or somebody else's. An obstacle ends
 * it as `failed` with that reason, which is no attempt.
 */
export type DialRefusal = 'over' | 'fenced' | 'already_sent' | 'hang_up_requested' | DialObstacle;

/** The answer to the last question before an INVITE. */
export type DialAuthorization = { isAllowed: true } | { isAllowed: false; reason: DialRefusal };

interface DialRow {
  callCreatedAt: Date;
  userId: number;
  clientPhoneNumber: string;
  campaignId: number | null;
  leadId: number | null;
  attempt: number | null;
  voiceProcessId: string | null;
  voiceEpoch: number | null;
  inviteSentAt: Date | null;
  hangUpRequestedAt: Date | null;
  isLeased: boolean;
}

const lockDial = statement<DialRow>(
  'lock_dial',
  `select l.call_created_at, l.user_id, l.client_phone_number, l.campaign_id, l.lead_id,
     (select c.attempt from calls c where c.id = l.call_id and c.created_at = l.call_created_at) as attempt,
     l.voice_process_id, l.voice_epoch, l.invite_sent_at, l.hang_up_requested_at,
     exists (
       select 1 from voice_processes p where p.id = l.voice_process_id and p.epoch = l.voice_epoch and p.lease_until > now()
     ) as is_leased
   from live_calls l where l.call_id = $1 for update`,
);
const markSent = statement(
  'mark_invite_sent',
  `update live_calls set invite_sent_at = $2 where call_id = $1`,
);

/** The intent must be this process's, its lease must hold, nobody may have been told yes or have asked for the end. */
export async function authorizeDial(
  ctx: CoreContext,
  input: { callId: number; voiceProcessId: string; epoch: number },
): Promise<DialAuthorization> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.query(lockDial, [input.callId]);
    const reason = refusalOf(row, input);
    if (!row || reason) return { isAllowed: false, reason: reason ?? 'over' };
    const obstacle = await findObstacle(ctx, tx, row);
    if (obstacle) return refuse(ctx, tx, input.callId, obstacle);
    const at = now(ctx);
    await tx.query(markSent, [input.callId, at]);
    await addCallEvent(tx, { id: input.callId, createdAt: row.callCreatedAt }, { at, type: 'dialed' });
    return { isAllowed: true };
  });
}

/** The list and the campaign as they are now; both may have changed since the call was placed. */
async function findObstacle(ctx: CoreContext, tx: Tx, row: DialRow): Promise<DialObstacle | null> {
  if (await isOnDoNotCallList(tx, row.userId, row.clientPhoneNumber)) return 'do_not_call';
  const { campaignId, leadId, attempt, clientPhoneNumber } = row;
  if (campaignId === null || leadId === null) return null;
  return checkCampaignDial(ctx, tx, { campaignId, leadId, attempt: attempt ?? 1, clientPhoneNumber });
}

async function refuse(
  ctx: CoreContext,
  tx: Tx,
  callId: number,
  reason: DialObstacle,
): Promise<DialAuthorization> {
  const locked = await lockCall(tx, callId);
  if (locked) await applyCallEvent(ctx, tx, locked, { event: 'failed', at: now(ctx), detail: { reason } });
  return { isAllowed: false, reason };
}

function refusalOf(
  row: DialRow | undefined,
  asker: { voiceProcessId: string; epoch: number },
): DialRefusal | null {
  if (!row) return 'over';
  const isIntended = row.voiceProcessId === asker.voiceProcessId && row.voiceEpoch === asker.epoch;
  if (!isIntended || !row.isLeased) return 'fenced';
  if (row.inviteSentAt !== null) return 'already_sent';
  return row.hangUpRequestedAt === null ? null : 'hang_up_requested';
}
