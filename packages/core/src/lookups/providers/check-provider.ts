/** Asks a provider now whether its key still opens it, and what it offers: for an operator who waits for the answer. */
import type { ProviderRecord } from '@parley/contracts';
import { statement, type ProviderRow } from '@parley/db';
import type { CoreContext } from '../../context.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { Identity } from '../../users/identity.ts';
import { requireOperator } from '../../users/require-operator.ts';
import { checkKey, type ProviderCredentials } from './ask-provider.ts';
import { LISTED_KINDS, type RemoteKind } from './provider-kinds.rules.ts';
import { PROVIDER_SELECT, providerRecord, type ProviderWithOffers } from './provider-record.ts';
import { refreshProvider } from './refresh-provider.ts';

const selectProvider = statement<ProviderWithOffers>(
  'checked_provider',
  `${PROVIDER_SELECT} where p.id = $1`,
);
const noteCheck = statement(
  'note_provider_check',
  `update providers set note = $3 where id = $1 and api_key_sealed is not distinct from $2`,
);

/**
 * A provider that lists what it offers is asked for its lists too. What could not be found out stands in `note`.
 *
 * @throws DomainError `forbidden` for members, `not-found`, `conflict` for the built-in one, `invalid` when the provider
 *   refuses us
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
  await ctx.db.query(noteCheck, [providerId, provider.apiKeySealed, note]);
  if (verdict.state === 'refused') throw new DomainError('invalid', noteOf(credentials, verdict));
  const isListed = LISTED_KINDS.includes(credentials.kind) && provider.apiKeySealed !== null;
  if (verdict.state === 'right' && isListed) await refreshProvider(ctx, providerId);
  return providerRecord(await readProvider(ctx, providerId), identity);
}

async function readProvider(ctx: CoreContext, providerId: number): Promise<ProviderWithOffers> {
  const [provider] = await ctx.db.query(selectProvider, [providerId]);
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
