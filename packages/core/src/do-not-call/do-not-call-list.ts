/**
 * The do-not-call list of a user: numbers that none of their calls may go to. It is checked when a call is placed, when a
 * campaign claims a lead, and once more before the INVITE, so a new entry applies at once to every call that has not been
 * dialed.
 */
import { DoNotCall, type DoNotCallRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { queueLeadsOfNumber } from '../dialing/lead-state.ts';
import { containing } from '../shared/containing.ts';
import { DomainError } from '../shared/domain-error.ts';
import { requireAccountNumber } from '../users/account-number.ts';
import type { Identity } from '../users/identity.ts';

/** One entry. */
export type DoNotCallEntry = Omit<DoNotCallRow, 'userId'>;

/**
 * Adds a number in any common notation. An entry that exists already gets the new reason.
 *
 * @throws DomainError `invalid` for an impossible number
 */
export async function addToDoNotCallList(
  ctx: CoreContext,
  identity: Identity,
  input: { phoneNumber: string; reason?: string | undefined },
): Promise<DoNotCallEntry> {
  const { userId } = identity;
  return ctx.db.transaction(async (tx) => {
    const phoneNumber = await requireAccountNumber(tx, userId, input.phoneNumber);
    const entry = { userId, phoneNumber, reason: input.reason ?? '', createdAt: now(ctx), callId: null };
    return entryOf(await tx.em.upsert(DoNotCall, entry, { onConflictMergeFields: ['reason'] }));
  });
}

/**
 * Removes a number from the list. Leads that were blocked because of it are queued again.
 *
 * @throws DomainError `not-found` when it is not on the list; `invalid` for an impossible number
 */
export async function removeFromDoNotCallList(
  ctx: CoreContext,
  identity: Identity,
  input: { phoneNumber: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const phoneNumber = await requireAccountNumber(tx, identity.userId, input.phoneNumber);
    const deleted = await tx.em.nativeDelete(DoNotCall, { userId: identity.userId, phoneNumber });
    if (deleted === 0) throw new DomainError('not-found', 'Number not found on the do-not-call list');
    await queueLeadsOfNumber(tx, { userId: identity.userId, phoneNumber, at: now(ctx) });
  });
}

/** A page of the list, newest first. `phoneNumber` is a part of the number. */
export async function listDoNotCall(
  ctx: CoreContext,
  identity: Identity,
  query: { page: number; perPage: number; phoneNumber?: string | undefined },
): Promise<{ rows: DoNotCallEntry[]; total: number }> {
  const { page, perPage, phoneNumber: part } = query;
  const wanted = { userId: identity.userId, ...(part !== undefined && { phoneNumber: containing(part) }) };
  const [rows, total] = await ctx.db.em.findAndCount(DoNotCall, wanted, {
    orderBy: [{ createdAt: 'desc' }, { phoneNumber: 'asc' }],
    limit: perPage,
    offset: (page - 1) * perPage,
  });
  return { rows: rows.map(entryOf), total };
}

function entryOf({ phoneNumber, reason, createdAt, callId }: DoNotCallRow): DoNotCallEntry {
  return { phoneNumber, reason, createdAt, callId };
}
