/** The two ends of the job that reads a document: what it is to read, and what it has found. */
import {
  Assistant,
  Document,
  DocumentSource,
  Knowledgebase,
  LockMode,
  statement,
  User,
  type DocumentRow,
  type Transaction,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { chunkText } from '../knowledge/chunk-text.rules.ts';
import { MAX_PROMPT_CHARACTERS } from '../knowledge/knowledge-of-assistant.ts';
import { searchTerms } from '../knowledge/search-terms.rules.ts';
import { enqueueEmbedding } from './enqueue-embedding.ts';

/** A document whose text is to be read. */
export interface DocumentToRead extends Pick<DocumentRow, 'id' | 'type' | 'links' | 'relativeLinksLimit'> {
  /** The owner is an operator, who may name the private addresses of WEBHOOK_ALLOW_PRIVATE. */
  isOperators: boolean;
  /** Null for a website. */
  content: Uint8Array | null;
}

/** What the job has found: the text, or why there is none, as a sentence for the owner. */
export type ReadOutcome = { text: string } | { failure: string };

/** Characters of one document. */
export const MAX_DOCUMENT_CHARACTERS = 2_000_000;
/** Passages of one knowledge base. */
const MAX_CHUNKS = 100_000;
/** Passages that one statement inserts. */
const BATCH = 500;

/** SQL, because it writes many rows at once and computes an index of words. */
const insertChunks = statement(
  'insert_document_chunks',
  `insert into document_chunks (document_id, position, content, terms)
   select $1, c.position, c.content, array_to_tsvector(string_to_array(c.terms, ' '))
   from unnest($2::int[], $3::text[], $4::text[]) as c (position, content, terms)`,
);

/** @returns null when it was deleted, or was read already */
export async function findDocumentToRead(ctx: CoreContext, id: number): Promise<DocumentToRead | null> {
  const row = await ctx.db.em.findOne(Document, { id, status: 'processing' });
  if (!row) return null;
  const [source, user] = await Promise.all([
    ctx.db.em.findOne(DocumentSource, { documentId: id }),
    ctx.db.em.findOneOrFail(User, { id: row.userId }, { fields: ['role'] }),
  ]);
  const { type, links, relativeLinksLimit } = row;
  const isOperators = user.role === 'operator';
  return { id, type, links, relativeLinksLimit, isOperators, content: source?.content ?? null };
}

/** Ends the reading of a document: it is active with its passages, or failed. A repetition changes nothing. */
export async function storeDocument(ctx: CoreContext, id: number, outcome: ReadOutcome): Promise<void> {
  // Outside the transaction, because it takes long for a long text.
  const chunks = 'text' in outcome && !isTooLong(outcome) ? chunkText(outcome.text) : [];
  await ctx.db.transaction(async (tx) => {
    const row = await lockUnread(tx, id);
    if (!row) return;
    const failure = 'failure' in outcome ? outcome.failure : await obstacle(tx, row, { ...outcome, chunks });
    row.status = failure === null ? 'active' : 'failed';
    row.failure = failure;
    row.updatedAt = now(ctx);
    if (failure === null) {
      row.characters = 'text' in outcome ? outcome.text.length : 0;
      row.chunks = chunks.length;
      await writeChunks(tx, row, chunks);
      await enqueueEmbedding(tx, row.knowledgebaseId);
    }
    await tx.em.nativeDelete(DocumentSource, { documentId: id });
  });
}

function isTooLong({ text }: { text: string }): boolean {
  return text.length > MAX_DOCUMENT_CHARACTERS;
}

/** Locks the knowledge base first: its limits are checked, and an assistant may be given it meanwhile. */
async function lockUnread(tx: Transaction, id: number): Promise<DocumentRow | null> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const found = await tx.em.findOne(Document, { id }, { fields: ['knowledgebaseId'] });
  if (!found) return null;
  await tx.em.findOne(Knowledgebase, { id: found.knowledgebaseId }, lock);
  return tx.em.findOne(Document, { id, status: 'processing' }, { ...lock, refresh: true });
}

async function obstacle(
  tx: Transaction,
  { knowledgebaseId, userId }: DocumentRow,
  { text, chunks }: { text: string; chunks: readonly string[] },
): Promise<string | null> {
  if (isTooLong({ text })) return `Its text is longer than ${MAX_DOCUMENT_CHARACTERS} characters.`;
  if (chunks.length === 0) return 'It contains no text.';
  const characters = text.length;
  const others = await tx.em.find(
    Document,
    { knowledgebaseId, status: 'active' },
    { fields: ['characters', 'chunks'] },
  );
  const total = (of: 'characters' | 'chunks'): number => others.reduce((sum, other) => sum + other[of], 0);
  if (total('chunks') + chunks.length > MAX_CHUNKS)
    return `The knowledge base would have more than ${MAX_CHUNKS} passages.`;
  if (total('characters') + characters <= MAX_PROMPT_CHARACTERS) return null;
  const inPrompt = { userId, knowledgebaseId, knowledgebaseMode: 'prompt', deletedAt: null };
  if ((await tx.em.count(Assistant, inPrompt)) === 0) return null;
  return `An assistant has this knowledge base in its prompt, which takes at most ${MAX_PROMPT_CHARACTERS} characters.`;
}

async function writeChunks(
  tx: Transaction,
  { id, knowledgebaseId }: DocumentRow,
  chunks: readonly string[],
): Promise<void> {
  for (let start = 0; start < chunks.length; start += BATCH) {
    const batch = chunks.slice(start, start + BATCH);
    await tx.query(insertChunks, [
      id,
      batch.map((_, index) => start + index),
      batch,
      batch.map((content) => termsOf(content, knowledgebaseId)),
    ]);
  }
}

/** Each word with the id of its knowledge base, so that a search does not read the passages of others. */
function termsOf(content: string, knowledgebaseId: number): string {
  return searchTerms(content)
    .map((word) => `${knowledgebaseId}/${word}`)
    .join(' ');
}
