/** Changes the newest price list, so that changes by other users in the meantime are kept. */
import type { PriceList } from '@parley/contracts';
import { useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import type { PriceInput } from './price-rows.rules.ts';

/** Resolves when the new list is displayed; rejects with the error of the server. */
export function useChangePrices(): (change: (prices: PriceList) => PriceInput) => Promise<unknown> {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return async (change) => {
    await client.prices.set.mutate(change(await client.prices.get.query()));
    return refresh('prices');
  };
}
