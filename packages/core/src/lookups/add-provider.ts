/** Adds an account at a provider of models, voices or transcription. All users share it, so only operators add one. */
import { errorText, fieldFault } from '@parley/contracts';
import { Provider } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { testKey } from './providers/key-test.ts';
import { writeOffers, type Offer } from './providers/offers.ts';
import { PROVIDER_KINDS, type RemoteKind } from './providers/provider-kinds.rules.ts';
import { enqueueRefresh } from './providers/refresh-provider.ts';

/** A provider, and models and voices that it does not list itself. */
export interface AddProviderInput {
  name: string;
  kind: RemoteKind;
  /** Default: the provider's own. Required for `openai-compatible`, without `/chat/completions`. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  models: Offer[];
  /** Models that turn texts into vectors. Default: none. */
  embeddingModels?: Offer[] | undefined;
  voices: Offer[];
  /** For `openai-compatible`: the model that transcribes. Default: not known. */
  transcriptionModel?: string | null | undefined;
}

/**
 * Checks the key at the provider before anything is stored.
 *
 * @throws DomainError `invalid` when the provider refuses the key, or the name of a model or voice is taken
 */
export async function addProvider(ctx: CoreContext, input: AddProviderInput): Promise<{ id: number }> {
  const { name, kind, apiKey } = input;
  refuseEmbeddings(kind, input.embeddingModels);
  refuseTranscriptionModel(kind, input.transcriptionModel);
  const baseUrl = plainAddress(input.baseUrl ?? PROVIDER_KINDS[kind].defaultBaseUrl ?? '');
  const note = apiKey === undefined ? null : await testKey(ctx, { kind, baseUrl, apiKey });
  const apiKeySealed = apiKey === undefined ? null : ctx.secretBox.seal(apiKey);
  return ctx.db.transaction(async (tx) => {
    const written = { name, kind, baseUrl, apiKeySealed, note, createdAt: now(ctx) };
    const { transcriptionModel = null } = input;
    const provider = tx.em.create(Provider, {
      ...written,
      transcriptionModel,
      userId: null,
      refreshedAt: null,
    });
    await tx.em.flush();
    const { id } = provider;
    await writeOffers(tx, id, input);
    if (apiKeySealed !== null) await enqueueRefresh(tx, id);
    return { id };
  });
}

/** @throws DomainError `invalid` when the product does not send the name to providers of this kind */
export function refuseTranscriptionModel(kind: RemoteKind, model: string | null | undefined): void {
  if ((model ?? null) === null || kind === 'openai-compatible') return;
  const fields = fieldFault(
    'transcription_model',
    'Only an OpenAI-compatible server has one; the models of other providers are fixed.',
  );
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

/** @throws DomainError `invalid` when providers of this kind have no `/embeddings` */
export function refuseEmbeddings(kind: RemoteKind, models: readonly unknown[] | undefined): void {
  if ((models ?? []).length === 0 || PROVIDER_KINDS[kind].embeddingsPath !== null) return;
  const fields = fieldFault('embedding_models', 'Providers of this kind have no embedding models.');
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

/** Removes slashes at the end, so that paths can be appended. */
export function plainAddress(baseUrl: string): string {
  return baseUrl.replace(/(?<!\/)\/+$/, '');
}
