import type { CoreContext } from '../context.ts';
import type { Identity } from './identity.ts';

/** @returns null for anything that is not a living token */
export async function authenticateToken(_ctx: CoreContext, _token: string): Promise<Identity | null> {
  throw new Error('coming');
}
