/**
 * Accounts at providers of models, voices and transcription, shared by all users. Only operators write them, because this
 * installation sends requests to their addresses. Keys are stored sealed and never returned.
 */
import {
  errorText,
  fieldFault,
  wording,
  type NewProvider,
  type ProviderChanges,
  type ProviderRecord,
} from '@parley/contracts';
import {
  isForeignKeyViolation,
  LockMode,
  Provider,
  statement,
  type ProviderRow,
  type Transaction,
  type Tx,
} from '@parley/db';
import type { CoreContext } from '../../context.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { Identity } from '../../users/identity.ts';
import { requireOperator } from '../../users/require-operator.ts';
import { addProvider, plainAddress, refuseEmbeddings, refuseTranscriptionModel } from '../add-provider.ts';
import { sharedOrOwn } from '../shared-or-own.ts';
import { testKey } from './key-test.ts';
import { writeOffers, type Offer } from './offers.ts';
import type { RemoteKind } from './provider-kinds.rules.ts';
import { describeProviders } from './provider-record.ts';
import { enqueueRefresh } from './refresh-provider.ts';

/** SQL, because it looks into the frozen configurations of live calls. */
const findLiveUse = statement<{ isLive: boolean }>(
  'provider_live_use',
  `select exists (
     select 1 from live_calls l join calls c on c.id = l.call_id and c.created_at = l.call_created_at
     where to_jsonb($1::bigint) in (c.configuration #> '{voice,providerId}', c.configuration #> '{model,providerId}')
   ) as is_live`,
);
/**
 * SQL, because it changes many rows. Deleted assistants still reference a voice and a model; they get the built-in ones, so
 * that others can be removed.
 */
const releaseDeleted = statement(
  'release_deleted_assistants',
  `update assistants a set
     voice_id = case when v.provider_id = $1 then (select min(id) from voices where provider_id = b.id) else a.voice_id end,
     llm_model_id =
       case when m.provider_id = $1 then (select min(id) from llm_models where provider_id = b.id) else a.llm_model_id end
   from voices v, llm_models m, providers b
   where a.deleted_at is not null and v.id = a.voice_id and m.id = a.llm_model_id and b.kind = 'built-in'
     and (v.provider_id = $1 or m.provider_id = $1)`,
);
/** In the order of creation; the built-in provider is the first. */
export async function listProviders(ctx: CoreContext, identity: Identity): Promise<ProviderRecord[]> {
  const usable = sharedOrOwn(identity.userId);
  const rows = await ctx.db.em.find(Provider, usable, { orderBy: { id: 'asc' } });
  return describeProviders(ctx.db, rows, identity);
}

/** @throws DomainError `forbidden` for members, `invalid` when the key is refused or the name of a model or voice is taken */
export async function createProvider(
  ctx: CoreContext,
  identity: Identity,
  input: NewProvider,
): Promise<ProviderRecord> {
  requireOperator(identity);
  const { id } = await addProvider(ctx, {
    name: input.name.trim(),
    kind: input.kind,
    baseUrl: input.base_url,
    apiKey: input.api_key ?? undefined,
    models: input.models.map(offerFrom),
    embeddingModels: input.embedding_models.map(offerFrom),
    voices: input.voices.map(offerFrom),
    transcriptionModel: input.transcription_model?.trim(),
  });
  return describeProvider(ctx.db, await ctx.db.em.findOneOrFail(Provider, { id }), identity);
}

/** One of them; its models and voices are read again. */
async function describeProvider(tx: Tx, row: ProviderRow, identity: Identity): Promise<ProviderRecord> {
  const [record] = await describeProviders(tx, [row], identity);
  if (!record) throw new Error('A provider has no record');
  return record;
}

/**
 * @throws DomainError `forbidden` for members, `not-found`, `conflict` for the built-in one and when a model or voice to
 *   be removed is in use, `invalid` when a name is taken, a key is refused or the address changes without a key
 */
export async function changeProvider(
  ctx: CoreContext,
  identity: Identity,
  input: ProviderChanges & { id: number },
): Promise<ProviderRecord> {
  requireOperator(identity);
  const tested = await testChange(ctx, identity, input);
  return refusingUse(() =>
    ctx.db.transaction(async (tx) => {
      const provider = await lockWritable(tx, identity, input.id);
      const baseUrl = input.base_url === undefined ? provider.baseUrl : plainAddress(input.base_url);
      refuseMovedKey(provider, { ...input, base_url: baseUrl });
      refuseEmbeddings(provider.kind as RemoteKind, input.embedding_models);
      refuseTranscriptionModel(provider.kind as RemoteKind, input.transcription_model);
      const { api_key: key, transcription_model: transcriptionModel } = input;
      const name = input.name?.trim() ?? provider.name;
      // A server that has another name or address is the operator's from now on.
      provider.isFound &&= name === provider.name && baseUrl === provider.baseUrl;
      provider.name = name;
      if (transcriptionModel !== undefined)
        setTranscriptionModel(provider, transcriptionModel?.trim() ?? null);
      provider.baseUrl = baseUrl;
      if (key !== undefined) provider.apiKeySealed = key && ctx.secretBox.seal(key);
      if (tested) provider.note = tested.note;
      if (input.models ?? input.voices) await tx.query(releaseDeleted, [input.id]);
      await writeOffers(tx, input.id, {
        models: input.models?.map(offerFrom),
        embeddingModels: input.embedding_models?.map(offerFrom),
        voices: input.voices?.map(offerFrom),
      });
      if (tested && provider.apiKeySealed !== null) await enqueueRefresh(tx, input.id);
      return describeProvider(tx, provider, identity);
    }),
  );
}

/** @throws DomainError `invalid` for another model of a server that was found: the next search would replace it */
function setTranscriptionModel(provider: ProviderRow, model: string | null): void {
  if (provider.isFound && model !== provider.transcriptionModel) {
    const fields = fieldFault(
      'transcription_model',
      'This server was found and names the model itself. To enter another one, give the provider another name as well.',
    );
    throw new DomainError('invalid', errorText.invalidData, { fields });
  }
  provider.transcriptionModel = model;
}

/** Outside the transaction, which must not wait for a provider. @returns null when no key was sent */
async function testChange(
  ctx: CoreContext,
  identity: Identity,
  { id, api_key: apiKey, base_url: baseUrl }: ProviderChanges & { id: number },
): Promise<{ note: string | null } | null> {
  if (apiKey === undefined) return null;
  const provider = await ctx.db.transaction((tx) => lockWritable(tx, identity, id));
  if (apiKey === null) return { note: null };
  const address = plainAddress(baseUrl ?? provider.baseUrl ?? '');
  const note = await testKey(ctx, { kind: provider.kind as RemoteKind, baseUrl: address, apiKey });
  return { note };
}

/** @throws DomainError `forbidden` for members, `not-found`, `conflict` for the built-in one and while it is in use */
export async function removeProvider(
  ctx: CoreContext,
  identity: Identity,
  providerId: number,
): Promise<void> {
  requireOperator(identity);
  await refusingUse(() =>
    ctx.db.transaction(async (tx) => {
      const provider = await lockWritable(tx, identity, providerId);
      const [use] = await tx.query(findLiveUse, [providerId]);
      if (use?.isLive) throw new DomainError('conflict', 'A live call is using this provider.');
      await tx.query(releaseDeleted, [providerId]);
      tx.em.remove(provider);
    }),
  );
}

async function lockWritable(tx: Transaction, identity: Identity, providerId: number): Promise<ProviderRow> {
  const usable = { id: providerId, ...sharedOrOwn(identity.userId) };
  const provider = await tx.em.findOne(Provider, usable, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!provider) throw new DomainError('not-found', 'Provider not found');
  if (provider.kind !== 'built-in') return provider;
  throw new DomainError('conflict', 'The built-in provider can be neither changed nor removed.');
}

/** A stored key is only sent to the address that it was stored for. */
function refuseMovedKey(
  stored: ProviderRow,
  { base_url: baseUrl, api_key: key }: { base_url: string | null; api_key?: string | null | undefined },
): void {
  if (stored.apiKeySealed === null || key !== undefined || baseUrl === stored.baseUrl) return;
  const fields = fieldFault('api_key', wording.requiredWhen('base_url is changed'));
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

async function refusingUse<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    const message = 'Assistants or knowledge bases are using a model or a voice of this provider.';
    throw new DomainError('conflict', message, { cause: error });
  }
}

function offerFrom(sent: { name: string; wire_name?: string | undefined }): Offer {
  const name = sent.name.trim();
  return { name, wireName: sent.wire_name?.trim() ?? name };
}
