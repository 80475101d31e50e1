/**
 * Signed-in browsers. The cookie is random and stored as its SHA-256. A session in use is given a new cookie every
 * hour; the old one counts for another minute, because requests made at the same time still carry it.
 */
import { statement, type Tx, type UserRole } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';
import type { Identity, PublicUser } from './identity.ts';

/** A session nobody uses ends after this long, milliseconds. */
const IDLE_LIMIT_MS = 14 * 24 * 3_600_000;
const ROTATION_MS = 3_600_000;
const ROTATION_GRACE_MS = 60_000;
/** `lastSeenAt` is written at most this often, milliseconds. */
const LAST_SEEN_STEP_MS = 60_000;

/** A cookie to be sent to the browser. */
export interface SessionCookie {
  value: string;
  expiresAt: Date;
}

/** The user behind a cookie. */
export interface FoundSession extends Identity {
  user: PublicUser;
  /** Set when the session was rotated: the cookie to send from now on. */
  newCookie: SessionCookie | null;
}

interface SessionRow extends PublicUser {
  timezone: string;
  createdAt: Date;
  lastSeenAt: Date;
  replacedAt: Date | null;
}

const insertSession = statement(
  'insert_session',
  `insert into sessions (id_hash, user_id, created_at, expires_at, last_seen_at) values ($1, $2, $3, $4, $3)`,
);
const selectSession = statement<SessionRow & { role: UserRole }>(
  'find_session',
  `select u.id, u.name, u.email, u.role, u.timezone, s.created_at, s.last_seen_at, s.replaced_at
   from sessions s join users u on u.id = s.user_id
   where s.id_hash = $1 and s.expires_at > $2`,
);
const replaceSession = statement<{ userId: number }>(
  'replace_session',
  `update sessions set replaced_at = $2, expires_at = $3 where id_hash = $1 and replaced_at is null returning user_id`,
);
const noteSessionUse = statement(
  'note_session_use',
  `update sessions set last_seen_at = $2, expires_at = $3 where id_hash = $1 and replaced_at is null`,
);
const deleteSession = statement('delete_session', `delete from sessions where id_hash = $1`);
const deleteExpiredSessions = statement(
  'delete_expired_sessions',
  `delete from sessions where expires_at < $1`,
);

/** Begins a session for a user who has proved who they are. */
export async function createSession(ctx: CoreContext, tx: Tx, userId: number): Promise<SessionCookie> {
  const at = now(ctx);
  const cookie = { value: randomSecret(), expiresAt: new Date(at.getTime() + IDLE_LIMIT_MS) };
  await tx.query(deleteExpiredSessions, [at]);
  await tx.query(insertSession, [hashSecret(cookie.value), userId, at, cookie.expiresAt]);
  return cookie;
}

/**
 * Finds out who a cookie belongs to, and rotates the session when its time has come.
 *
 * @param options - `canSetCookie` false where no cookie can be sent back (a WebSocket); the session is then left as it is
 * @returns null for anything that is not a living session
 */
export async function findSession(
  ctx: CoreContext,
  cookie: string,
  options: { canSetCookie: boolean } = { canSetCookie: true },
): Promise<FoundSession | null> {
  const at = now(ctx);
  const [row] = await ctx.db.query(selectSession, [hashSecret(cookie), at]);
  if (!row) return null;
  return {
    userId: row.id,
    role: row.role,
    scopes: 'all',
    tokenId: null,
    timezone: row.timezone,
    user: { id: row.id, name: row.name, email: row.email, role: row.role },
    newCookie: await keepAlive(ctx, { cookie, row, canSetCookie: options.canSetCookie }),
  };
}

/** Signing out twice is fine. */
export async function signOut(ctx: CoreContext, cookie: string): Promise<void> {
  await ctx.db.query(deleteSession, [hashSecret(cookie)]);
}

async function keepAlive(
  ctx: CoreContext,
  session: { cookie: string; row: SessionRow; canSetCookie: boolean },
): Promise<SessionCookie | null> {
  const { row } = session;
  const atMs = ctx.clock.now();
  if (row.replacedAt !== null) return null;
  if (session.canSetCookie && atMs - row.createdAt.getTime() >= ROTATION_MS)
    return rotate(ctx, session.cookie);
  if (atMs - row.lastSeenAt.getTime() >= LAST_SEEN_STEP_MS) {
    const hash = hashSecret(session.cookie);
    await ctx.db.query(noteSessionUse, [hash, new Date(atMs), new Date(atMs + IDLE_LIMIT_MS)]);
  }
  return null;
}

/** Of several requests at the same time one rotates; the others keep the old cookie for its last minute. */
async function rotate(ctx: CoreContext, cookie: string): Promise<SessionCookie | null> {
  return ctx.db.transaction(async (tx) => {
    const at = now(ctx);
    const graceEnd = new Date(at.getTime() + ROTATION_GRACE_MS);
    const [replaced] = await tx.query(replaceSession, [hashSecret(cookie), at, graceEnd]);
    return replaced ? createSession(ctx, tx, replaced.userId) : null;
  });
}
