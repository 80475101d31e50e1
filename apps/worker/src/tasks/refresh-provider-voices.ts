/** Fetches the voices and models of one provider, or of all providers. */
import { refreshAllProviders, refreshProvider } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

/** @throws Error when the provider did not answer, so that the queue retries */
export async function refreshProviderVoices(
  { core }: WorkerContext,
  { providerId }: { providerId?: number | undefined },
): Promise<void> {
  if (providerId === undefined) return refreshAllProviders(core);
  const outcome = await refreshProvider(core, providerId);
  if (outcome === 'later') throw new Error('The lists of a provider could not be fetched');
}
