/** A person sets or removes the disposition of a call. It replaces that of the evaluation, which never replaces it. */
import { errorText, fieldFault, wording } from '@parley/contracts';
import { sendTogether, statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { addCallEvent } from '../calls/call-events.ts';
import {
  readCallDisposition,
  removeDisposition,
  storeDisposition,
  type GivenDisposition,
} from '../calls/call-disposition.ts';
import { lockCall } from '../calls/lock-call.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';

const selectList = statement<{ dispositions: string[] }>(
  'campaign_dispositions',
  `select dispositions from campaigns where id = $1 and user_id = $2 and deleted_at is null`,
);
/** For the live rows of the admin app. */
const noteChange = statement(
  'note_disposed_call',
  `update calls set changed_at = clock_timestamp() where id = $1 and created_at = $2`,
);

/**
 * May be repeated: what the call has already is not written again.
 *
 * @param change - `disposition`: null removes it
 * @throws DomainError `not-found`, also for another user's call; `invalid` for a disposition that the list of the
 *   campaign does not have
 */
export async function setDisposition(
  ctx: CoreContext,
  identity: Identity,
  { callId, disposition }: { callId: number; disposition: string | null },
): Promise<{ callId: number; disposition: string | null; source: GivenDisposition['source'] | null }> {
  const { userId } = identity;
  return ctx.db.transaction(async (tx) => {
    const locked = await lockCall(tx, callId);
    if (locked?.call.userId !== userId) throw new DomainError('not-found', 'Call not found');
    const { id, createdAt, campaignId } = locked.call;
    const before = await readCallDisposition(tx, id);
    const at = now(ctx);
    if (disposition === null) {
      if (!before) return { callId, disposition, source: null };
      await removeDisposition(tx, id);
    } else {
      if (campaignId === null || !(await listOf(tx, campaignId, userId)).includes(disposition))
        throw notListed();
      if (before?.disposition === disposition && before.source === 'person') return { callId, ...before };
      const call = { id, createdAt, userId, campaignId };
      await storeDisposition(tx, call, { disposition, source: 'person', at });
    }
    const detail = { disposition, source: 'person' };
    await sendTogether(tx, [
      (tx) => addCallEvent(tx, { id, createdAt }, { at, type: 'disposition_set', detail }),
      (tx) => tx.query(noteChange, [id, createdAt]),
    ]);
    return { callId, disposition, source: disposition === null ? null : 'person' };
  });
}

async function listOf(tx: Tx, campaignId: number, userId: number): Promise<string[]> {
  const [campaign] = await tx.query(selectList, [campaignId, userId]);
  return campaign?.dispositions ?? [];
}

function notListed(): DomainError {
  const fields = fieldFault('disposition', wording.selected);
  return new DomainError('invalid', errorText.invalidData, { fields });
}
