/**
 * Embeds the passages of a knowledge base, some at a time, and removes embeddings of a model that it had before. Each
 * document knows how many of its passages, from the first, are embedded; a batch is stored only while that number and the
 * model are those with which it began, so that the job may run twice and be interrupted anywhere. A request that fails is
 * repeated later, for as long as the knowledge base has the model. SQL, because it writes many rows.
 */
import { statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { bytesOf, codeOf } from '../knowledge/embedding-code.rules.ts';
import type { Embedder, EmbeddingModel } from '../knowledge/embedder.ts';
import { findEmbeddingModel } from '../knowledge/embedding-model.ts';
import { enqueueEmbedding } from './enqueue-embedding.ts';

/** Passages of one request. */
const BATCH = 32;
/** After this the job gives way to those of other knowledge bases and is enqueued again, milliseconds. */
const SHIFT_MS = 30_000;
/** A server without a graphics processor may take a second for a passage. */
const REQUEST_LIMIT_MS = 60_000;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Embeddings that one statement removes. */
const REMOVED_AT_ONCE = 5000;

/** How many passages of one user may be embedded in a day of UTC, also again with another model; 0: without limit. */
export interface EmbeddingLimits {
  passagesPerDay: number;
}

interface Batch {
  documentId: number;
  /** The place of the first passage. */
  start: number;
  ids: number[];
  texts: string[];
}

const selectBatch = statement<Batch>(
  'passages_to_embed',
  `with next as (
     select id, embedded_chunks from documents
     where knowledgebase_id = $1 and status = 'active' and embedded_chunks < chunks order by id limit 1
   ), page as (
     select n.id as document_id, n.embedded_chunks as start, c.id, c.content, c.position
     from next n cross join lateral (
       select id, content, position from document_chunks
       where document_id = n.id and position >= n.embedded_chunks order by position limit ${BATCH}
     ) c
   )
   select document_id, start, array_agg(id order by position) as ids, array_agg(content order by position) as texts
   from page group by document_id, start`,
);
const selectOwner = statement<{ userId: number }>(
  'owner_of_knowledgebase',
  'select user_id from knowledgebases where id = $1',
);
/** The count of another day begins again. No row: the day is used up. */
const countPassages = statement<{ passages: number }>(
  'count_embedded_passages',
  `insert into embedding_usage as u (user_id, day, passages) values ($1, $2::date, $3)
   on conflict (user_id) do update set day = excluded.day,
     passages = excluded.passages + case when u.day = excluded.day then u.passages else 0 end
   where $4::int = 0 or u.day <> excluded.day or u.passages + excluded.passages <= $4
   returning passages`,
);
const lockBase = statement<{ id: number }>(
  'lock_knowledgebase_to_embed',
  'select id from knowledgebases where id = $1 and embedding_model_id = $2 for no key update',
);
const advance = statement<{ id: number }>(
  'advance_embedded_chunks',
  `update documents set embedded_chunks = $3 where id = $1 and embedded_chunks = $2 and chunks >= $3 returning id`,
);
const writeCodes = statement(
  'write_chunk_codes',
  `insert into chunk_codes (chunk_id, knowledgebase_id, llm_model_id, code)
   select e.id, $1, $2, e.code::bit(512) from unnest($3::bigint[], $4::text[]) as e (id, code)
   on conflict (chunk_id) do update set llm_model_id = excluded.llm_model_id, code = excluded.code`,
);
const writeVectors = statement(
  'write_chunk_vectors',
  `insert into chunk_vectors (chunk_id, vector)
   select e.id, decode(e.vector, 'hex') from unnest($1::bigint[], $2::text[]) as e (id, vector)
   on conflict (chunk_id) do update set vector = excluded.vector`,
);
/** The price of the model, or that of its provider, at this moment. */
const bookTokens = statement(
  'book_embedding_tokens',
  `update knowledgebases set embedding_failure = null, embedding_failures = 0,
     embedding_tokens = embedding_tokens + $2::bigint,
     embedding_cost = embedding_cost + round($2::numeric / 1000000 * coalesce(
       (select price from prices where llm_model_id = $3 and unit = 'input_token'),
       (select price from prices where provider_id = $4 and unit = 'input_token')), 6)
   where id = $1`,
);
const noteFailure = statement<{ failures: number }>(
  'note_embedding_failure',
  `update knowledgebases set embedding_failure = $3, embedding_failures = embedding_failures + 1
   where id = $1 and embedding_model_id = $2 returning embedding_failures as failures`,
);
const removeStale = statement<{ chunkId: number }>(
  'remove_stale_embeddings',
  `with gone as (
     delete from chunk_codes where chunk_id in (
       select chunk_id from chunk_codes where knowledgebase_id = $1 and llm_model_id is distinct from $2::bigint
       limit ${REMOVED_AT_ONCE})
     returning chunk_id
   ), vectors as (
     delete from chunk_vectors v using gone g where v.chunk_id = g.chunk_id
   )
   select chunk_id from gone`,
);

/** Enqueues itself again while there is more to do. */
export async function embedPassages(
  ctx: CoreContext,
  embedder: Embedder,
  { knowledgebaseId, passagesPerDay }: EmbeddingLimits & { knowledgebaseId: number },
): Promise<void> {
  const [owner] = await ctx.db.query(selectOwner, [knowledgebaseId]);
  if (!owner) return;
  const about = { knowledgebaseId, userId: owner.userId };
  const model = await findEmbeddingModel(ctx, ctx.db, about);
  const untilMs = ctx.clock.monotonic() + SHIFT_MS;
  while ((await ctx.db.query(removeStale, [knowledgebaseId, model?.llmModelId ?? null])).length > 0)
    if (ctx.clock.monotonic() > untilMs) return enqueueEmbedding(ctx.db, knowledgebaseId);
  if (!model) return;
  for (;;) {
    const [batch] = await ctx.db.query(selectBatch, [knowledgebaseId]);
    if (!batch) return;
    if (ctx.clock.monotonic() > untilMs) return enqueueEmbedding(ctx.db, knowledgebaseId);
    const step = { ...about, model, batch, passagesPerDay };
    if (!(await embedBatch(ctx, embedder, step))) return;
  }
}

interface Step extends EmbeddingLimits {
  knowledgebaseId: number;
  userId: number;
  model: EmbeddingModel;
  batch: Batch;
}

/** @returns whether the next batch is to be embedded by this job */
async function embedBatch(ctx: CoreContext, embedder: Embedder, step: Step): Promise<boolean> {
  const { userId, model, batch, passagesPerDay } = step;
  const at = now(ctx);
  const day = at.toISOString().slice(0, 10);
  const counted = await ctx.db.query(countPassages, [userId, day, batch.ids.length, passagesPerDay]);
  if (counted.length === 0) {
    const tomorrow = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS);
    const failure = `The account has embedded ${passagesPerDay} passages today. The rest follows tomorrow.`;
    await fail(ctx, step, { failure, runAt: () => tomorrow });
    return false;
  }
  const outcome = await embedder.embed(model, batch.texts, REQUEST_LIMIT_MS);
  if ('vectors' in outcome) return store(ctx, step, outcome);
  const { failure } = outcome;
  const { llmModelId } = model;
  ctx.log.warn({ knowledgebaseId: step.knowledgebaseId, llmModelId, failure }, 'Passages were not embedded');
  await fail(ctx, step, { failure, runAt: (failures) => new Date(at.getTime() + pauseAfter(failures)) });
  return false;
}

/** A minute, then twice as long each time, at most an hour. */
function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
}

async function fail(
  ctx: CoreContext,
  { knowledgebaseId, model }: Step,
  { failure, runAt }: { failure: string; runAt: (failures: number) => Date },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [noted] = await tx.query(noteFailure, [knowledgebaseId, model.llmModelId, failure]);
    if (noted) await enqueueEmbedding(tx, knowledgebaseId, runAt(noted.failures));
  });
}

/** @returns false when the model was changed meanwhile; the change has enqueued another job */
async function store(
  ctx: CoreContext,
  { knowledgebaseId, model, batch }: Step,
  { vectors, tokens }: { vectors: Float32Array[]; tokens: number },
): Promise<boolean> {
  const codes = vectors.map(codeOf);
  const bytes = vectors.map((vector) => bytesOf(vector).toString('hex'));
  return ctx.db.transaction(async (tx: Tx) => {
    const [base] = await tx.query(lockBase, [knowledgebaseId, model.llmModelId]);
    // The tokens were used, whatever has happened meanwhile.
    await tx.query(bookTokens, [knowledgebaseId, tokens, model.llmModelId, model.providerId]);
    if (!base) return false;
    const end = batch.start + batch.ids.length;
    const [document] = await tx.query(advance, [batch.documentId, batch.start, end]);
    // It was deleted, or another run of the job was faster.
    if (!document) return true;
    await tx.query(writeCodes, [knowledgebaseId, model.llmModelId, batch.ids, codes]);
    await tx.query(writeVectors, [batch.ids, bytes]);
    return true;
  });
}
