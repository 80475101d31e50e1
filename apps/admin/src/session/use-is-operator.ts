/** Whether the user may write what is shared. For what the page offers only: the server asks again. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';

/** False until it is known. */
export function useIsOperator(): boolean {
  const trpc = useTRPC();
  return useQuery(trpc.session.me.queryOptions()).data?.role === 'operator';
}
