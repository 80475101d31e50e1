import type { CoreContext } from '../context.ts';
import type { Identity, PublicUser } from './identity.ts';

export interface FoundSession extends Identity {
  user: PublicUser;
  /** Set when the session was rotated: the cookie to send from now on. */
  newCookie: { value: string; expiresAt: Date } | null;
}

export async function findSession(_ctx: CoreContext, _cookie: string): Promise<FoundSession | null> {
  throw new Error('coming');
}

/** Signing out twice is fine. */
export async function signOut(_ctx: CoreContext, _cookie: string): Promise<void> {
  throw new Error('coming');
}
