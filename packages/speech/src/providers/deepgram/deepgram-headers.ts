/** Authentication at Deepgram. */
import type { ProviderAccount } from '../provider-account.ts';

/** Deepgram uses the scheme `Token`, not `Bearer`. */
export function deepgramHeaders({ apiKey }: ProviderAccount): Record<string, string> {
  return apiKey === null ? {} : { authorization: `Token ${apiKey}` };
}
