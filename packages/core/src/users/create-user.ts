import type { UserRole } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { PublicUser } from './identity.ts';

export interface CreateUserInput {
  name: string;
  email: string;
  /** Without one the user signs in by link only. */
  password?: string | undefined;
  role: UserRole;
}

/** @throws DomainError conflict when the e-mail address is taken, invalid for a bad address or a short password */
export async function createUser(_ctx: CoreContext, _input: CreateUserInput): Promise<PublicUser> {
  throw new Error('coming');
}
