/** Names for the ids in an assistant's record. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';

/** Each answers a dash for what is not set or not known. */
export interface LookupNames {
  voice: (id: number) => string;
  model: (id: number) => string;
  language: (id: number) => string;
  phoneNumber: (id: number | null) => string;
}

const UNKNOWN = '–';

/** Looks names up in the lists the server keeps; dashes until they are there. */
export function useLookupNames(): LookupNames {
  const trpc = useTRPC();
  // The lists change rarely; asking for them once per visit is enough.
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
