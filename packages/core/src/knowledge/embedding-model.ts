/** The model that embeds the passages of a knowledge base, with its provider. SQL, because it is read for every question. */
import { statement, type ProviderRow, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { EmbeddingModel } from './embedder.ts';

interface ModelRow extends Pick<ProviderRow, 'kind' | 'baseUrl' | 'apiKeySealed'> {
  llmModelId: number;
  name: string;
  wireName: string;
  providerId: number;
  providerName: string;
}

const selectModel = statement<ModelRow>(
  'embedding_model',
  `select m.id as llm_model_id, m.name, m.wire_name, p.id as provider_id, p.name as provider_name, p.kind, p.base_url,
     p.api_key_sealed
   from knowledgebases k join llm_models m on m.id = k.embedding_model_id join providers p on p.id = m.provider_id
   where k.id = $1 and k.user_id = $2 and (p.user_id is null or p.user_id = k.user_id)`,
);

/** @returns null for a knowledge base that is searched by words only */
export async function findEmbeddingModel(
  ctx: CoreContext,
  tx: Tx,
  { knowledgebaseId, userId }: { knowledgebaseId: number; userId: number },
): Promise<EmbeddingModel | null> {
  const [row] = await tx.query(selectModel, [knowledgebaseId, userId]);
  if (!row || row.kind === 'built-in' || row.baseUrl === null) return null;
  const { kind, baseUrl, apiKeySealed, ...model } = row;
  const apiKey = apiKeySealed === null ? null : ctx.secretBox.open(apiKeySealed);
  return { ...model, kind, baseUrl, apiKey };
}
