import type { CoreContext } from '../context.ts';
import type { PublicUser } from './identity.ts';

export interface BootstrapInput {
  email?: string | undefined;
  password?: string | undefined;
  token?: string | undefined;
}

export interface BootstrapResult {
  isNew: boolean;
  user: PublicUser;
  /** Only when this run made the user. */
  token?: string;
  /** Only when this run made the user and no password was given. */
  password?: string;
}

/** Idempotent; any number of processes may call it at once. */
export async function bootstrapFirstUser(_ctx: CoreContext, _input: BootstrapInput): Promise<BootstrapResult> {
  throw new Error('coming');
}
