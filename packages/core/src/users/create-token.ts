import type { CoreContext } from '../context.ts';
import type { TokenScope } from './identity.ts';

export interface CreateTokenInput {
  userId: number;
  name: string;
  /** Absent: everything. */
  scopes?: readonly TokenScope[] | undefined;
  expiresAt?: Date | undefined;
  /** A token made elsewhere, for automation; at least 32 characters. */
  token?: string | undefined;
}

/** The token is shown this once; only its hash is kept. */
export async function createToken(_ctx: CoreContext, _input: CreateTokenInput): Promise<{ id: number; token: string }> {
  throw new Error('coming');
}
