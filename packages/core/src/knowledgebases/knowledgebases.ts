/** The knowledge bases of a user. */
import {
  errorText,
  fieldFault,
  type KnowledgebaseChanges,
  type KnowledgebaseRecord,
  type NewKnowledgebase,
  wording,
} from '@parley/contracts';
import {
  Assistant,
  Document,
  Knowledgebase,
  LlmModel,
  LockMode,
  Provider,
  statement,
  type KnowledgebaseRow,
  type Transaction,
  type Tx,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { sharedOrOwn } from '../lookups/shared-or-own.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { enqueueEmbedding } from './enqueue-embedding.ts';
import { knowledgebaseRecord, type KnowledgebaseCounts } from './knowledgebase-record.ts';

/** Knowledge bases of one user. */
export const MAX_KNOWLEDGEBASES = 50;
/** Assistants that an error names. */
const MOST_NAMED = 5;

/** SQL, because it counts two tables. */
const selectCounts = statement<KnowledgebaseCounts & { id: number }>(
  'count_in_knowledgebases',
  `select k.id, count(d.id) as documents, count(*) filter (where d.status = 'processing') as processing,
     count(*) filter (where d.status = 'failed') as failed, coalesce(sum(d.characters), 0)::bigint as characters,
     coalesce(sum(d.chunks), 0)::bigint as chunks, coalesce(sum(d.embedded_chunks), 0)::bigint as embedded,
     (select count(*) from assistants a where a.knowledgebase_id = k.id and a.user_id = k.user_id and a.deleted_at is null)
       as assistants
   from knowledgebases k left join documents d on d.knowledgebase_id = k.id
   where k.id = any($1::bigint[]) group by k.id`,
);
const NONE: KnowledgebaseCounts = {
  documents: 0,
  processing: 0,
  failed: 0,
  characters: 0,
  chunks: 0,
  embedded: 0,
  assistants: 0,
};

/** SQL, because the row of the user serialises creations. */
const lockUser = statement<{ id: number }>(
  'lock_user_of_knowledgebase',
  'select id from users where id = $1 for no key update',
);

/** All of them, newest first. */
export async function listKnowledgebases(
  ctx: CoreContext,
  { userId }: Identity,
): Promise<KnowledgebaseRecord[]> {
  const rows = await ctx.db.em.find(Knowledgebase, { userId }, { orderBy: { id: 'desc' } });
  return describe(ctx.db, rows);
}

/** @throws DomainError `not-found`, also when it has another owner */
export async function findKnowledgebase(
  ctx: CoreContext,
  { userId }: Identity,
  id: number,
): Promise<KnowledgebaseRecord> {
  const row = await ctx.db.em.findOne(Knowledgebase, { id, userId });
  if (!row) throw knowledgebaseNotFound();
  return describeOne(ctx.db, row);
}

/** @throws DomainError `invalid` when the user has the maximum already */
export async function createKnowledgebase(
  ctx: CoreContext,
  { userId }: Identity,
  { name, description = null, embedding_model_id: embeddingModelId = null }: NewKnowledgebase,
): Promise<KnowledgebaseRecord> {
  return ctx.db.transaction(async (tx) => {
    await tx.query(lockUser, [userId]);
    if ((await tx.em.count(Knowledgebase, { userId })) >= MAX_KNOWLEDGEBASES) {
      const fields = { name: [`An account has at most ${MAX_KNOWLEDGEBASES} knowledge bases.`] };
      throw new DomainError('invalid', errorText.invalidData, { fields });
    }
    await requireEmbeddingModel(tx, userId, embeddingModelId);
    const at = now(ctx);
    const row = tx.em.create(Knowledgebase, {
      userId,
      name,
      description,
      embeddingModelId,
      embeddingFailure: null,
      createdAt: at,
      updatedAt: at,
    });
    await tx.em.flush();
    return knowledgebaseRecord(row, NONE);
  });
}

/** @throws DomainError `not-found` */
export async function changeKnowledgebase(
  ctx: CoreContext,
  identity: Identity,
  { id, changes }: { id: number; changes: KnowledgebaseChanges },
): Promise<KnowledgebaseRecord> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockKnowledgebase(tx, identity, id);
    if (changes.name !== undefined) row.name = changes.name;
    if (changes.description !== undefined) row.description = changes.description;
    if (changes.embedding_model_id !== undefined) await changeEmbedding(tx, row, changes.embedding_model_id);
    row.updatedAt = now(ctx);
    await tx.em.flush();
    return describeOne(tx, row);
  });
}

/** A job embeds all passages again when the model is another one, and removes embeddings of the one before. */
async function changeEmbedding(
  tx: Transaction,
  row: KnowledgebaseRow,
  modelId: number | null,
): Promise<void> {
  await requireEmbeddingModel(tx, row.userId, modelId);
  if (row.embeddingModelId !== modelId) {
    row.embeddingModelId = modelId;
    await tx.em.nativeUpdate(Document, { knowledgebaseId: row.id }, { embeddedChunks: 0 });
  }
  row.embeddingFailure = null;
  row.embeddingFailures = 0;
  await enqueueEmbedding(tx, row.id);
}

/** @throws DomainError `invalid` unless a provider that the user may use offers it for embeddings */
async function requireEmbeddingModel(tx: Tx, userId: number, id: number | null): Promise<void> {
  if (id === null) return;
  const model = await tx.em.findOne(LlmModel, { id, purpose: 'embedding' });
  if (model && (await tx.em.count(Provider, { id: model.providerId, ...sharedOrOwn(userId) })) > 0) return;
  const fields = fieldFault('embedding_model_id', wording.selected);
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

/** Its documents are deleted too. @throws DomainError `not-found`; `conflict` while assistants use it */
export async function deleteKnowledgebase(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockKnowledgebase(tx, identity, id);
    const own = { userId: identity.userId, knowledgebaseId: row.id, deletedAt: null };
    const [using, count] = await tx.em.findAndCount(Assistant, own, {
      fields: ['name'],
      orderBy: { id: 'asc' },
      limit: MOST_NAMED,
    });
    if (count > 0)
      throw new DomainError(
        'conflict',
        inUse(
          using.map(({ name }) => name),
          count,
        ),
      );
    tx.em.remove(row);
  });
}

/**
 * Locks a knowledge base: assistants that are being given it, and documents that are being added, wait.
 *
 * @throws DomainError `not-found`
 */
export async function lockKnowledgebase(
  tx: Transaction,
  { userId }: Pick<Identity, 'userId'>,
  id: number,
): Promise<KnowledgebaseRow> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const row = await tx.em.findOne(Knowledgebase, { id, userId }, lock);
  if (!row) throw knowledgebaseNotFound();
  return row;
}

/** The answer for one that is missing or has another owner. */
export function knowledgebaseNotFound(): DomainError {
  return new DomainError('not-found', 'Knowledge base not found');
}

async function describe(tx: Tx, rows: readonly KnowledgebaseRow[]): Promise<KnowledgebaseRecord[]> {
  const counts = await tx.query(selectCounts, [rows.map(({ id }) => id)]);
  const byId = new Map(counts.map((counted) => [counted.id, counted]));
  return rows.map((row) => knowledgebaseRecord(row, byId.get(row.id) ?? NONE));
}

async function describeOne(tx: Tx, row: KnowledgebaseRow): Promise<KnowledgebaseRecord> {
  const [counted = NONE] = await tx.query(selectCounts, [[row.id]]);
  return knowledgebaseRecord(row, counted);
}

function inUse(names: readonly string[], count: number): string {
  const rest = count - names.length;
  const named = names.map((name) => `"${name}"`).join(', ');
  const all = rest > 0 ? `${named} and ${rest} more` : named;
  return `This knowledge base is used by ${count === 1 ? 'the assistant' : 'the assistants'} ${all}. Remove it from them first.`;
}
