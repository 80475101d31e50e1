/**
 * Sessions of signed-in browsers. The cookie is random; the database has its SHA-256. A session in use gets a new cookie
 * every hour. The old cookie is valid for another minute, because concurrent requests still carry it.
 */
import { randomUUID } from 'node:crypto';
import {
  LockMode,
  Session,
  statement,
  User,
  type SessionRow as StoredSession,
  type Transaction,
  type UserRole,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';
import { lockUser } from './end-sessions.ts';
import type { Identity, PublicUser } from './identity.ts';

/** An unused session ends after this time, milliseconds. */
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

/** Where a sign-in comes from. */
export interface SignInOrigin {
  networkAddress: string;
  /** The browser's own description; null if it sent none. */
  userAgent?: string | null | undefined;
  /** Until then the password may be set without the current one. */
  passwordResetUntil?: Date;
}

/** The user behind a cookie. */
export interface FoundSession extends Identity {
  user: PublicUser;
  /** Stays the same when the cookie is replaced. */
  signInId: string;
  /** Set when the session was rotated: the cookie to send from now on. */
  newCookie: SessionCookie | null;
}

interface FoundRow extends PublicUser {
  timezone: string;
  createdAt: Date;
  lastSeenAt: Date;
  replacedAt: Date | null;
  signInId: string;
}

/** SQL, because it runs on every request of a browser. */
const selectSession = statement<FoundRow & { role: UserRole }>(
  'find_session',
  `select u.id, u.name, u.email, u.role, u.timezone, s.created_at, s.last_seen_at, s.replaced_at,
     s.sign_in_id
   from sessions s join users u on u.id = s.user_id
   where s.id_hash = $1 and s.expires_at > $2 and u.disabled_at is null`,
);

/** Longer descriptions of browsers are cut. */
const MAX_USER_AGENT = 300;

/** Starts a session for an authenticated user, and deletes expired sessions. */
export async function createSession(
  ctx: CoreContext,
  { em }: Transaction,
  userId: number,
  origin: SignInOrigin,
): Promise<SessionCookie> {
  const at = now(ctx);
  await em.nativeDelete(Session, { expiresAt: { $lt: at } });
  await em.nativeUpdate(User, { id: userId }, { lastSignInAt: at });
  return addCookie(ctx, em, {
    userId,
    signInId: randomUUID(),
    signedInAt: at,
    networkAddress: origin.networkAddress,
    userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    passwordResetUntil: origin.passwordResetUntil ?? null,
  });
}

type SignInFacts = Pick<
  StoredSession,
  'userId' | 'signInId' | 'signedInAt' | 'networkAddress' | 'userAgent' | 'passwordResetUntil'
>;

function addCookie(ctx: CoreContext, em: Transaction['em'], facts: SignInFacts): SessionCookie {
  const at = now(ctx);
  const cookie = { value: randomSecret(), expiresAt: new Date(at.getTime() + IDLE_LIMIT_MS) };
  const { expiresAt } = cookie;
  const idHash = hashSecret(cookie.value);
  em.create(Session, { ...facts, idHash, createdAt: at, expiresAt, lastSeenAt: at, replacedAt: null });
  return cookie;
}

/**
 * Finds the user of a cookie, and rotates the session when it is due.
 *
 * @param options - `canSetCookie` false where no cookie can be sent back (a WebSocket); the session is then not rotated
 * @returns null for a cookie that is unknown or expired
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
    signInId: row.signInId,
    user: { id: row.id, name: row.name, email: row.email, role: row.role, timezone: row.timezone },
    newCookie: await keepAlive(ctx, { cookie, row, canSetCookie: options.canSetCookie }),
  };
}

const selectSignIns = statement<{ signInId: string }>(
  'find_sign_ins',
  `select distinct s.sign_in_id from sessions s join users u on u.id = s.user_id
   where s.sign_in_id = any($1::uuid[]) and s.expires_at > $2 and u.disabled_at is null`,
);

/** Those sign-ins that still have a session, whatever its present cookie. A disabled user has none. */
export async function findSignedIn(ctx: CoreContext, signInIds: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.db.query(selectSignIns, [signInIds, now(ctx)]);
  return new Set(rows.map(({ signInId }) => signInId));
}

/** Idempotent. */
export async function signOut(ctx: CoreContext, cookie: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const session = await tx.em.findOne(Session, { idHash: hashSecret(cookie) });
    if (!session) return;
    await lockUser(tx, session.userId);
    // A cookie that was just replaced ends too.
    await tx.em.nativeDelete(Session, { signInId: session.signInId });
  });
}

async function keepAlive(
  ctx: CoreContext,
  session: { cookie: string; row: FoundRow; canSetCookie: boolean },
): Promise<SessionCookie | null> {
  const { row } = session;
  const atMs = ctx.clock.now();
  if (row.replacedAt !== null) return null;
  if (session.canSetCookie && atMs - row.createdAt.getTime() >= ROTATION_MS)
    return rotate(ctx, session.cookie, row.id);
  if (atMs - row.lastSeenAt.getTime() >= LAST_SEEN_STEP_MS) {
    const use = { lastSeenAt: new Date(atMs), expiresAt: new Date(atMs + IDLE_LIMIT_MS) };
    await ctx.db.transaction(({ em }) => em.nativeUpdate(Session, newest(session.cookie), use));
  }
  return null;
}

/** Replaces the cookie. Of several concurrent requests one does so; the others use the old cookie for its last minute. */
async function rotate(ctx: CoreContext, cookie: string, userId: number): Promise<SessionCookie | null> {
  return ctx.db.transaction(async (tx) => {
    // Sessions are ended under a lock of their user, so that no rotation in progress survives (end-sessions.ts).
    await tx.em.findOne(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_READ });
    const session = await tx.em.findOne(Session, newest(cookie), { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!session) return null;
    session.replacedAt = now(ctx);
    session.expiresAt = new Date(ctx.clock.now() + ROTATION_GRACE_MS);
    const { signInId, signedInAt, networkAddress, userAgent, passwordResetUntil } = session;
    const facts = { userId, signInId, signedInAt, networkAddress, userAgent, passwordResetUntil };
    return addCookie(ctx, tx.em, facts);
  });
}

/** The condition for a session whose cookie was not replaced yet. */
function newest(cookie: string) {
  return { idHash: hashSecret(cookie), replacedAt: null };
}
