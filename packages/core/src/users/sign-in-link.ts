import type { CoreContext } from '../context.ts';
import type { SignedIn } from './sign-in.ts';

export async function createSignInLink(_ctx: CoreContext, _userId: number): Promise<string> {
  throw new Error('coming');
}

/** @returns null when the secret is unknown, used or too old */
export async function redeemSignInLink(_ctx: CoreContext, _secret: string): Promise<SignedIn | null> {
  throw new Error('coming');
}
