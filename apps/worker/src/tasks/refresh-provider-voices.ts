/** Takes the voices and models of one provider, or of all, from the provider's own lists. */
import { refreshAllProviders, refreshProvider } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

/** @throws Error when the provider did not answer, so that it is asked again later */
export async function refreshProviderVoices(
  { core }: WorkerContext,
  { providerId }: { providerId?: number | undefined },
): Promise<void> {
  if (providerId === undefined) return refreshAllProviders(core);
  const outcome = await refreshProvider(core, providerId);
  if (outcome === 'later') throw new Error('The lists of a provider could not be had');
}
