/** Checks a provider's key and refreshes its lists, within a request of an operator. */
import type { ProviderRecord } from '@parley/contracts';
import { Provider, type ProviderRow } from '@parley/db';
import type { CoreContext } from '../../context.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { Identity } from '../../users/identity.ts';
import { requireOperator } from '../../users/require-operator.ts';
import { checkKey, type ProviderCredentials } from './ask-provider.ts';
import { LISTED_KINDS, type RemoteKind } from './provider-kinds.rules.ts';
import { describeProviders } from './provider-record.ts';
import { refreshProvider } from './refresh-provider.ts';

/**
 * Refreshes the lists of a provider that has any. `note` describes what could not be checked.
 *
 * @throws DomainError `forbidden` for members, `not-found`, `conflict` for the built-in one, `invalid` when the
 *    provider refuses the key
 */
export async function checkProvider(
  ctx: CoreContext,
  identity: Identity,
  providerId: number,
): Promise<ProviderRecord> {
  requireOperator(identity);
  const provider = await readProvider(ctx, providerId);
  const credentials = credentialsOf(ctx, provider);
  const verdict = await checkKey(ctx, credentials);
  const note = verdict.state === 'right' ? null : noteOf(credentials, verdict);
  // If the key was replaced during the check, the note of the new key stays.
  const checked = { id: providerId, apiKeySealed: provider.apiKeySealed };
  await ctx.db.transaction(({ em }) => em.nativeUpdate(Provider, checked, { note }));
  if (verdict.state === 'refused') throw new DomainError('invalid', noteOf(credentials, verdict));
  const isListed = LISTED_KINDS.includes(credentials.kind) && provider.apiKeySealed !== null;
  if (verdict.state === 'right' && isListed) await refreshProvider(ctx, providerId);
  const [record] = await describeProviders(ctx.db, [await readProvider(ctx, providerId)], identity);
  if (!record) throw new Error('A provider has no record');
  return record;
}

async function readProvider(ctx: CoreContext, providerId: number): Promise<ProviderRow> {
  const provider = await ctx.db.em.findOne(Provider, { id: providerId });
  if (!provider) throw new DomainError('not-found', 'Provider not found');
  return provider;
}

function credentialsOf(ctx: CoreContext, { kind, baseUrl, apiKeySealed }: ProviderRow): ProviderCredentials {
  if (kind === 'built-in' || baseUrl === null)
    throw new DomainError('conflict', 'The built-in provider is a part of this installation.');
  return {
    kind: kind satisfies RemoteKind,
    baseUrl,
    apiKey: apiKeySealed === null ? null : ctx.secretBox.open(apiKeySealed),
  };
}

function noteOf({ apiKey }: ProviderCredentials, verdict: { state: string; reason: string }): string {
  if (verdict.state !== 'refused') return `The last check said nothing: ${verdict.reason}.`;
  return apiKey === null
    ? `The provider wants a key. ${verdict.reason}.`
    : `The provider refuses its key. ${verdict.reason}.`;
}
