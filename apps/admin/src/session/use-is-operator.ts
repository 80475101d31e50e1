/** Whether the user may edit shared records. Only for the interface; the server checks the role itself. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';

/** False until the user is loaded. */
export function useIsOperator(): boolean {
  const trpc = useTRPC();
  return useQuery(trpc.session.me.queryOptions()).data?.role === 'operator';
}
