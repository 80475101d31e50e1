/** The providers that a user's assistants may call upon: the user's own and those shared by all. */
import { statement, type ProviderRow, type Tx } from '@parley/db';

const selectUsableProviders = statement<ProviderRow>(
  'load_usable_providers',
  `select * from providers where user_id is null or user_id = $1 order by id`,
);

/** In the order in which they were added. Keys stay sealed. */
export async function usableProviders(tx: Tx, userId: number): Promise<ProviderRow[]> {
  return tx.query(selectUsableProviders, [userId]);
}
