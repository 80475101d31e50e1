/** Providers as the API returns them. */
import { isoMicroseconds, type ProviderRecord } from '@parley/contracts';
import { LlmModel, Voice, type LlmModelRow, type ProviderRow, type Tx } from '@parley/db';
import type { Identity } from '../../users/identity.ts';

/**
 * Translates providers to the API's records, which have no keys. Two queries find what all of them offer.
 *
 * @param reader - members do not see a provider's address
 */
export async function describeProviders(
  tx: Tx,
  rows: readonly ProviderRow[],
  reader: Identity,
): Promise<ProviderRecord[]> {
  const offered = { providerId: rows.map(({ id }) => id) };
  const models = await tx.em.find(LlmModel, offered, IN_ORDER);
  const voices = await tx.em.find(Voice, offered, IN_ORDER);
  return rows.map((row) => ({
    ...providerRecord(row, reader),
    ...modelRecords(models.filter(({ providerId }) => providerId === row.id)),
    voices: voices.filter(({ providerId }) => providerId === row.id).map(offerRecord),
  }));
}

function modelRecords(models: readonly LlmModelRow[]): Pick<ProviderRecord, 'models' | 'embedding_models'> {
  const of = (wanted: LlmModelRow['purpose']) =>
    models.filter(({ purpose }) => purpose === wanted).map(offerRecord);
  return { models: of('conversation'), embedding_models: of('embedding') };
}

const IN_ORDER = { orderBy: { id: 'asc' } } as const;

function offerRecord({ id, name, wireName }: Pick<LlmModelRow, 'id' | 'name' | 'wireName'>) {
  return { id, name, wire_name: wireName };
}

function providerRecord(
  row: ProviderRow,
  reader: Identity,
): Omit<ProviderRecord, 'models' | 'embedding_models' | 'voices'> {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    base_url: reader.role === 'operator' ? row.baseUrl : null,
    has_api_key: row.apiKeySealed !== null,
    transcription_model: row.transcriptionModel,
    is_found: row.isFound,
    note: row.note,
    refreshed_at: row.refreshedAt && isoMicroseconds(row.refreshedAt),
    created_at: isoMicroseconds(row.createdAt),
  };
}
