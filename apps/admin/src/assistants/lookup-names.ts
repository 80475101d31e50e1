/** Names for the ids in an assistant's record. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';

/** Each function returns a dash for a missing or unknown id. */
export interface LookupNames {
  voice: (id: number) => string;
  model: (id: number) => string;
  language: (id: number) => string;
  phoneNumber: (id: number | null) => string;
}

const UNKNOWN = '–';

/** Looks names up in the lists of the server; returns dashes until they are loaded. */
export function useLookupNames(): LookupNames {
  const trpc = useTRPC();
  // The lists change rarely, so they are loaded once per visit.
  const lists = useQuery({ ...trpc.lookups.all.queryOptions(), staleTime: 60_000 }).data;
  const nameIn = (list: readonly { id: number; name: string }[] | undefined, id: number): string =>
    list?.find((entry) => entry.id === id)?.name ?? UNKNOWN;
  return {
    voice: (id) => nameIn(lists?.voices, id),
    model: (id) => nameIn(lists?.models, id),
    language: (id) => nameIn(lists?.languages, id),
    phoneNumber: (id) => lists?.phone_numbers.find((entry) => entry.id === id)?.phone_number ?? UNKNOWN,
  };
}
