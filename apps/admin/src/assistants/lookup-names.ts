/** Names for the ids in an assistant's record. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';
import { nameOf, NO_NAME } from './lookup-names.rules.ts';

/** Each function returns null while the lists are loading. */
export interface LookupNames {
  voice: (id: number) => string | null;
  model: (id: number) => string | null;
  phoneNumber: (id: number | null) => string | null;
}

/** Looks names up in the lists of the server. */
export function useLookupNames(): LookupNames {
  const trpc = useTRPC();
  // The lists change rarely, so they are loaded once per visit.
  const { data: lists, isError: isLost } = useQuery({
    ...trpc.lookups.all.queryOptions(),
    staleTime: 60_000,
  });
  const numbers = lists?.phone_numbers.map(({ id, phone_number: name }) => ({ id, name }));
  return {
    voice: (id) => nameOf(id, lists?.voices, isLost),
    model: (id) => nameOf(id, lists?.models, isLost),
    phoneNumber: (id) => (id === null ? NO_NAME : nameOf(id, numbers, isLost)),
  };
}
