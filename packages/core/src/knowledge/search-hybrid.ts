/**
 * Finds passages by their words and by their meaning at the same time. The embedding of the question has a time limit;
 * without it, the words alone decide. It runs while a caller waits: docs/decisions/knowledge-bases.md.
 */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { UsedQuantity } from '../prices/call-costs.rules.ts';
import type { Embedder, EmbeddingModel } from './embedder.ts';
import { codeOf, similarity } from './embedding-code.rules.ts';
import { findEmbeddingModel } from './embedding-model.ts';
import { fuseRanks } from './fuse-ranks.rules.ts';
import {
  MAX_PASSAGES,
  MAX_QUERY,
  searchKnowledge,
  type KnowledgeQuestion,
  type Passage,
} from './search-knowledge.ts';

/** What was found, and how. */
export interface KnowledgeAnswer {
  passages: Passage[];
  /** `words`: the knowledge base has no embeddings. `words-only`: it has, but the provider did not answer in time. */
  by: 'words' | 'words-and-meaning' | 'words-only';
  /** What the embedding of the question used; null: nothing. */
  used: UsedQuantity | null;
}

/** Passages of each list that are fused. */
const MAX_FUSED = 20;
/** Candidates by their codes, which are ranked by their embeddings. */
const MAX_CANDIDATES = 150;

interface Candidate extends Passage {
  vector: Uint8Array;
}

/**
 * The codes of the whole knowledge base are compared with that of the question. Every search reads them all, so that its
 * time depends on nothing but their number.
 */
const selectCandidates = statement<Candidate>(
  'search_knowledge_by_meaning',
  `with near as materialized (
     select chunk_id from chunk_codes where knowledgebase_id = $1 and llm_model_id = $2
     order by bit_count(code # $3::bit(512)) limit ${MAX_CANDIDATES}
   )
   select c.id, c.document_id, d.name as document_name, c.position, c.content, v.vector
   from near n join chunk_vectors v on v.chunk_id = n.chunk_id join document_chunks c on c.id = n.chunk_id
   join documents d on d.id = c.document_id
   where d.user_id = $4 and d.knowledgebase_id = $1`,
);

/** The best passages first; none when neither words nor meaning find any. */
export async function searchHybrid(
  ctx: CoreContext,
  question: KnowledgeQuestion,
  embedder: Embedder,
): Promise<KnowledgeAnswer> {
  const model = question.query.trim() === '' ? null : await findEmbeddingModel(ctx, ctx.db, question);
  if (!model) return { passages: await searchKnowledge(ctx, question), by: 'words', used: null };
  const [byWords, meant] = await Promise.all([
    searchKnowledge(ctx, question, MAX_FUSED),
    searchByMeaning(ctx, question, { embedder, model }),
  ]);
  if (!meant) return { passages: byWords.slice(0, MAX_PASSAGES), by: 'words-only', used: null };
  return { passages: fused(byWords, meant.passages), by: 'words-and-meaning', used: meant.used };
}

/** @returns null when the question was not embedded */
async function searchByMeaning(
  ctx: CoreContext,
  { knowledgebaseId, userId, query }: KnowledgeQuestion,
  { embedder, model }: { embedder: Embedder; model: EmbeddingModel },
): Promise<{ passages: Passage[]; used: UsedQuantity } | null> {
  const outcome = await embedder.embedQuestion(model, query.slice(0, MAX_QUERY));
  const vector = 'vectors' in outcome ? outcome.vectors[0] : undefined;
  if ('failure' in outcome || !vector) return null;
  const rows = await ctx.db.query(selectCandidates, [
    knowledgebaseId,
    model.llmModelId,
    codeOf(vector),
    userId,
  ]);
  const passages = rows
    .map(({ vector: stored, ...passage }) => ({ passage, score: similarity(vector, stored) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_FUSED)
    .map(({ passage }) => passage);
  return { passages, used: usedBy(model, outcome) };
}

function usedBy(
  { name, providerId, llmModelId }: EmbeddingModel,
  { tokens, isEstimated }: { tokens: number; isEstimated: boolean },
): UsedQuantity {
  return {
    stage: 'embedding',
    name,
    providerId,
    llmModelId,
    unit: 'input_token',
    quantity: tokens,
    isEstimated,
  };
}

function fused(byWords: readonly Passage[], byMeaning: readonly Passage[]): Passage[] {
  const byId = new Map([...byWords, ...byMeaning].map((passage) => [passage.id, passage]));
  const idsOf = (passages: readonly Passage[]): number[] => passages.map(({ id }) => id);
  return fuseRanks([idsOf(byWords), idsOf(byMeaning)], MAX_PASSAGES).flatMap((id) => byId.get(id) ?? []);
}
