/** Lists and ends the sessions of the requesting user. */
import { isoMicroseconds } from '@parley/contracts';
import { Session, type SessionRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { endAllSessions, lockUser } from './end-sessions.ts';
import type { FoundSession } from './session.ts';

/** A signed-in browser, as its user sees it. */
export interface SessionRecord {
  id: string;
  /** Null where it was not recorded, before this version. */
  signed_in_at: string | null;
  /** Exact to a minute. */
  last_used_at: string;
  /** Where the sign-in came from. */
  network_address: string | null;
  /** The browser's own description. */
  user_agent: string | null;
  /** The session that asks. */
  is_current: boolean;
}

/** Those that have not expired, the last used first. */
export async function listSessions(ctx: CoreContext, session: FoundSession): Promise<SessionRecord[]> {
  const living = { userId: session.userId, replacedAt: null, expiresAt: { $gt: now(ctx) } };
  const rows = await ctx.db.em.find(Session, living, { orderBy: { lastSeenAt: 'desc', signInId: 'asc' } });
  return rows.map((row) => sessionRecord(row, session.signInId));
}

/** @throws DomainError `not-found`, also for another user's session */
export async function endSession(ctx: CoreContext, session: FoundSession, signInId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, session.userId);
    const ended = await tx.em.nativeDelete(Session, { userId: session.userId, signInId });
    if (ended === 0) throw new DomainError('not-found', 'Session not found');
  });
}

/** Ends every session of the user but the one that asks, and their unused sign-in links. Idempotent. */
export async function endOtherSessions(ctx: CoreContext, session: FoundSession): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, session.userId);
    await endAllSessions(tx, session.userId, session.signInId);
  });
}

function sessionRecord(row: SessionRow, currentId: string): SessionRecord {
  return {
    id: row.signInId,
    signed_in_at: row.signedInAt && isoMicroseconds(row.signedInAt),
    last_used_at: isoMicroseconds(row.lastSeenAt),
    network_address: row.networkAddress,
    user_agent: row.userAgent,
    is_current: row.signInId === currentId,
  };
}
