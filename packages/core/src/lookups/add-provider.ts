/** Adds an account at a provider of models, voices or transcription. Shared by all users, so only operators come here. */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { testKey } from './providers/key-test.ts';
import { writeOffers, type Offer } from './providers/offers.ts';
import { PROVIDER_KINDS, type RemoteKind } from './providers/provider-kinds.rules.ts';
import { enqueueRefresh } from './providers/refresh-provider.ts';

/** A provider and what it offers beside what it lists itself. */
export interface AddProviderInput {
  name: string;
  kind: RemoteKind;
  /** Absent: the provider's own. Of `openai-compatible` it is needed, without `/chat/completions`. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  models: Offer[];
  voices: Offer[];
}

const insertProvider = statement<{ id: number }>(
  'insert_provider',
  `insert into providers (name, kind, base_url, api_key_sealed, note, created_at)
   values ($1, $2, $3, $4, $5, $6) returning id`,
);

/**
 * Asks the provider whether the key is right, before anything is written.
 *
 * @throws DomainError `invalid` when the provider refuses the key, or the name of a model or voice is taken
 */
export async function addProvider(ctx: CoreContext, input: AddProviderInput): Promise<{ id: number }> {
  const { name, kind, apiKey } = input;
  const baseUrl = plainAddress(input.baseUrl ?? PROVIDER_KINDS[kind].defaultBaseUrl ?? '');
  const note = apiKey === undefined ? null : await testKey(ctx, { kind, baseUrl, apiKey });
  const apiKeySealed = apiKey === undefined ? null : ctx.secretBox.seal(apiKey);
  return ctx.db.transaction(async (tx) => {
    const values = [name, kind, baseUrl, apiKeySealed, note, now(ctx)];
    const [provider] = await tx.query(insertProvider, values);
    if (!provider) throw new Error('A provider could not be written');
    await writeOffers(tx, provider.id, input);
    if (apiKeySealed !== null) await enqueueRefresh(tx, provider.id);
    return provider;
  });
}

/** Without slashes at the end, so that paths can be appended. */
export function plainAddress(baseUrl: string): string {
  return baseUrl.replace(/(?<!\/)\/+$/, '');
}
