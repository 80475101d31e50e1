/** Has the pages ask again for what a change may have touched. */
import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from './admin-client.ts';

/** Everything of one part of the server's interface. */
type Part = 'assistants' | 'doNotCall' | 'lookups' | 'phoneNumbers' | 'prices' | 'providers' | 'sipTrunks';

/** Resolves when what is on screen has been renewed. */
export function useRefresh(): (...parts: Part[]) => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (...parts) =>
    Promise.all(parts.map((part) => queryClient.invalidateQueries(trpc[part].pathFilter())));
}
