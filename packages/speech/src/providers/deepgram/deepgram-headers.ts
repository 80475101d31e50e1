/** How Deepgram is told who asks. */
import type { ProviderAccount } from '../provider-account.ts';

/** Deepgram's own scheme is `Token`, not `Bearer`. */
export function deepgramHeaders({ apiKey }: ProviderAccount): Record<string, string> {
  return apiKey === null ? {} : { authorization: `Token ${apiKey}` };
}
