/** Reloads the queries that a change may affect. */
import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from './admin-client.ts';

/** The parts of the API of the server. */
type Part =
  | 'assistants'
  | 'calls'
  | 'campaigns'
  | 'carrierAccounts'
  | 'consents'
  | 'dialPolicy'
  | 'doNotCall'
  | 'documents'
  | 'knowledgebases'
  | 'leads'
  | 'lookups'
  | 'numberCountry'
  | 'phoneNumbers'
  | 'prices'
  | 'providers'
  | 'recordedPhrases'
  | 'session'
  | 'sipTrunks'
  | 'suiteRuns'
  | 'suites'
  | 'users'
  | 'webhookEndpoints'
  | 'webhooks'
  | 'writtenConversations';

/** Resolves when the displayed data has been reloaded. */
export function useRefresh(): (...parts: Part[]) => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (...parts) =>
    Promise.all(parts.map((part) => queryClient.invalidateQueries(trpc[part].pathFilter())));
}
