/**
 * Accounts at providers of models, voices and transcription, shared by everybody. Only operators write them: their addresses are called
 * from inside this installation. Keys are sealed and never given back.
 */
import {
  errorText,
  fieldFault,
  wording,
  type NewProvider,
  type ProviderChanges,
  type ProviderRecord,
} from '@parley/contracts';
import { isForeignKeyViolation, statement, type Tx } from '@parley/db';
import type { CoreContext } from '../../context.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { Identity } from '../../users/identity.ts';
import { requireOperator } from '../../users/require-operator.ts';
import { addProvider, plainAddress } from '../add-provider.ts';
import { testKey } from './key-test.ts';
import { writeOffers, type Offer } from './offers.ts';
import type { RemoteKind } from './provider-kinds.rules.ts';
import { PROVIDER_SELECT, providerRecord, type ProviderWithOffers } from './provider-record.ts';
import { enqueueRefresh } from './refresh-provider.ts';

const selectProviders = statement<ProviderWithOffers>(
  'list_providers',
  `${PROVIDER_SELECT} where p.user_id is null or p.user_id = $1 order by p.id`,
);
const selectProvider = statement<ProviderWithOffers>('find_provider', `${PROVIDER_SELECT} where p.id = $1`);
const lockProvider = statement<ProviderWithOffers>(
  'lock_provider',
  `${PROVIDER_SELECT} where p.id = $1 and (p.user_id is null or p.user_id = $2) for update of p`,
);
const updateProvider = statement(
  'update_provider',
  `update providers set name = $2, base_url = $3, api_key_sealed = $4, note = $5 where id = $1`,
);
const findLiveUse = statement<{ isLive: boolean }>(
  'provider_live_use',
  `select exists (
     select 1 from live_calls l join calls c on c.id = l.call_id and c.created_at = l.call_created_at
     where to_jsonb($1::bigint) in (c.configuration #> '{voice,providerId}', c.configuration #> '{model,providerId}')
   ) as is_live`,
);
/** What is deleted still points to a voice and a model; it gets the built-in ones, so that others can go. */
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
const deleteProvider = statement('delete_provider', `delete from providers where id = $1`);

/** In the order in which they were added, the built-in one first. */
export async function listProviders(ctx: CoreContext, identity: Identity): Promise<ProviderRecord[]> {
  const rows = await ctx.db.query(selectProviders, [identity.userId]);
  return rows.map((row) => providerRecord(row, identity));
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
    voices: input.voices.map(offerFrom),
  });
  const [row] = await ctx.db.query(selectProvider, [id]);
  if (!row) throw new Error('A new provider vanished');
  return providerRecord(row, identity);
}

/**
 * @throws DomainError `forbidden` for members, `not-found`, `conflict` for the built-in one and when a model or voice that
 *   would go is in use, `invalid` when a name is taken, a key is refused or another address comes without its key
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
      const { api_key: key } = input;
      const sealed = key === undefined ? provider.apiKeySealed : key && ctx.secretBox.seal(key);
      const note = tested ? tested.note : provider.note;
      await tx.query(updateProvider, [input.id, input.name?.trim() ?? provider.name, baseUrl, sealed, note]);
      if (input.models ?? input.voices) await tx.query(releaseDeleted, [input.id]);
      await writeOffers(tx, input.id, {
        models: input.models?.map(offerFrom),
        voices: input.voices?.map(offerFrom),
      });
      if (tested && sealed !== null) await enqueueRefresh(tx, input.id);
      const [row] = await tx.query(selectProvider, [input.id]);
      return providerRecord(row ?? provider, identity);
    }),
  );
}

/** Outside of the transaction, which must not wait for a provider. @returns null when no key was sent */
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
      await lockWritable(tx, identity, providerId);
      const [use] = await tx.query(findLiveUse, [providerId]);
      if (use?.isLive) throw new DomainError('conflict', 'A live call is using this provider.');
      await tx.query(releaseDeleted, [providerId]);
      await tx.query(deleteProvider, [providerId]);
    }),
  );
}

async function lockWritable(tx: Tx, identity: Identity, providerId: number): Promise<ProviderWithOffers> {
  const [provider] = await tx.query(lockProvider, [providerId, identity.userId]);
  if (!provider) throw new DomainError('not-found', 'Provider not found');
  if (provider.kind !== 'built-in') return provider;
  throw new DomainError('conflict', 'The built-in provider can be neither changed nor removed.');
}

/** A stored key goes only where it was meant to go when it was given. */
function refuseMovedKey(
  stored: ProviderWithOffers,
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
    const message = 'Assistants are using a model or a voice of this provider.';
    throw new DomainError('conflict', message, { cause: error });
  }
}

function offerFrom(sent: { name: string; wire_name?: string | undefined }): Offer {
  const name = sent.name.trim();
  return { name, wireName: sent.wire_name?.trim() ?? name };
}
