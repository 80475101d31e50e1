/** The time zone of the account, in which the API writes local date-times. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';

/** UTC until the user is loaded. */
export function useAccountZone(): string {
  const trpc = useTRPC();
  return useQuery(trpc.session.me.queryOptions()).data?.timezone ?? 'UTC';
}
