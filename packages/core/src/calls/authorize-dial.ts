/**
 * Step 5 of a call's way, the last moment before the INVITE: voice asks whether it may be sent. Whoever is told yes is
 * the only one, ever: of any number of askers one wins, and from then on the attempt counts.
 */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { addCallEvent } from './call-events.ts';

/** Why an INVITE must not leave. */
export type DialRefusal = 'over' | 'fenced' | 'already_sent' | 'hang_up_requested';

/** The answer to the last question before an INVITE. */
export type DialAuthorization = { isAllowed: true } | { isAllowed: false; reason: DialRefusal };

interface DialRow {
  callCreatedAt: Date;
  voiceProcessId: string | null;
  voiceEpoch: number | null;
  inviteSentAt: Date | null;
  hangUpRequestedAt: Date | null;
  isLeased: boolean;
}

const lockDial = statement<DialRow>(
  'lock_dial',
  `select l.call_created_at, l.voice_process_id, l.voice_epoch, l.invite_sent_at, l.hang_up_requested_at,
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
    const at = now(ctx);
    await tx.query(markSent, [input.callId, at]);
    await addCallEvent(tx, { id: input.callId, createdAt: row.callCreatedAt }, { at, type: 'dialed' });
    return { isAllowed: true };
  });
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
