import type { CoreContext } from '../context.ts';
import type { PublicUser } from './identity.ts';

export interface SignedIn {
  /** Value of the cookie `parley_session`. */
  cookie: string;
  expiresAt: Date;
  user: PublicUser;
}

/**
 * @returns null when address and password do not belong together
 * @throws DomainError too-many after repeated failures for this e-mail address from this network address
 */
export async function signIn(
  _ctx: CoreContext,
  _input: { email: string; password: string; networkAddress: string },
): Promise<SignedIn | null> {
  throw new Error('coming');
}
