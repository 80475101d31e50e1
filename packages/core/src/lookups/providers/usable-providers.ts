/** The providers that a user's assistants may use: the user's own and the shared ones. */
import { Provider, type ProviderRow, type Tx } from '@parley/db';
import { sharedOrOwn } from '../shared-or-own.ts';

/** In the order of creation. Keys stay sealed. */
export async function usableProviders(tx: Tx, userId: number): Promise<ProviderRow[]> {
  return tx.em.find(Provider, sharedOrOwn(userId), { orderBy: { id: 'asc' } });
}
