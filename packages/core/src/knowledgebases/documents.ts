/** The documents of a knowledge base. A job reads the text of each: `read-document.ts`. */
import { errorText, type DocumentChanges, type DocumentRecord, type NewDocument } from '@parley/contracts';
import { Document, DocumentSource, Knowledgebase, type DocumentRow, type Transaction } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { lockOwner } from '../users/require-below-maximum.ts';
import { documentRecord } from './knowledgebase-record.ts';
import { knowledgebaseNotFound, lockKnowledgebase } from './knowledgebases.ts';

/** Documents of one knowledge base. */
const MAX_DOCUMENTS = 200;
/** Documents of one user that wait to be read, one after the other: each may have 20 MiB. */
export const MAX_UNREAD = 100;

/** A document and its knowledge base. */
export interface DocumentAim {
  knowledgebaseId: number;
  id: number;
}

/** All of a knowledge base, newest first. @throws DomainError `not-found` */
export async function listDocuments(
  ctx: CoreContext,
  { userId }: Identity,
  knowledgebaseId: number,
): Promise<DocumentRecord[]> {
  if ((await ctx.db.em.count(Knowledgebase, { id: knowledgebaseId, userId })) === 0)
    throw knowledgebaseNotFound();
  const rows = await ctx.db.em.find(Document, { knowledgebaseId }, { orderBy: { id: 'desc' } });
  return rows.map(documentRecord);
}

/** @throws DomainError `not-found` */
export async function findDocument(
  ctx: CoreContext,
  { userId }: Identity,
  { id, knowledgebaseId }: DocumentAim,
): Promise<DocumentRecord> {
  const row = await ctx.db.em.findOne(Document, { id, knowledgebaseId, userId });
  if (!row) throw documentNotFound();
  return documentRecord(row);
}

/**
 * Stores a document, whose text a job reads.
 *
 * @throws DomainError `not-found`; `invalid` when the knowledge base is full; `conflict` while many wait to be read
 */
export async function createDocument(
  ctx: CoreContext,
  identity: Identity,
  { knowledgebaseId, input }: { knowledgebaseId: number; input: NewDocument },
): Promise<DocumentRecord> {
  return ctx.db.transaction(async (tx) => {
    // The documents of all knowledge bases of the user wait together.
    await lockOwner(tx, identity.userId);
    const base = await lockKnowledgebase(tx, identity, knowledgebaseId);
    if ((await tx.em.count(Document, { knowledgebaseId })) >= MAX_DOCUMENTS) {
      const fields = { name: [`A knowledge base has at most ${MAX_DOCUMENTS} documents.`] };
      throw new DomainError('invalid', errorText.invalidData, { fields });
    }
    const unread = await tx.em.count(Document, { userId: identity.userId, status: 'processing' });
    if (unread >= MAX_UNREAD)
      throw new DomainError('conflict', 'Wait until the documents that you have added are read.');
    const at = now(ctx);
    base.updatedAt = at;
    const row = tx.em.create(Document, {
      userId: identity.userId,
      knowledgebaseId,
      name: input.name,
      description: input.description ?? null,
      type: input.type,
      status: 'processing',
      failure: null,
      links: linksOf(input),
      relativeLinksLimit: input.relative_links_limit ?? null,
      characters: 0,
      chunks: 0,
      createdAt: at,
      updatedAt: at,
    });
    await tx.em.flush();
    const content = sourceOf(input);
    if (content !== null) tx.em.create(DocumentSource, { documentId: row.id, content });
    await tx.em.flush();
    // One after the other for all users: those with fewer come first, because a slow website takes minutes.
    await enqueue(tx, 'read_document', { documentId: row.id }, { priority: unread });
    return documentRecord(row);
  });
}

/** @throws DomainError `not-found` */
export async function changeDocument(
  ctx: CoreContext,
  identity: Identity,
  { changes, ...aim }: DocumentAim & { changes: DocumentChanges },
): Promise<DocumentRecord> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockDocument(tx, identity, aim);
    if (changes.name !== undefined) row.name = changes.name;
    if (changes.description !== undefined) row.description = changes.description;
    row.updatedAt = now(ctx);
    await tx.em.flush();
    return documentRecord(row);
  });
}

/** Searches no longer find it at once. @throws DomainError `not-found` */
export async function deleteDocument(ctx: CoreContext, identity: Identity, aim: DocumentAim): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    tx.em.remove(await lockDocument(tx, identity, aim));
  });
}

/** After its knowledge base, in the order of the job. */
async function lockDocument(
  tx: Transaction,
  identity: Identity,
  { id, knowledgebaseId }: DocumentAim,
): Promise<DocumentRow> {
  const { userId } = identity;
  if ((await tx.em.count(Document, { id, knowledgebaseId, userId })) === 0) throw documentNotFound();
  await lockKnowledgebase(tx, identity, knowledgebaseId);
  const row = await tx.em.findOne(Document, { id, knowledgebaseId, userId });
  if (!row) throw documentNotFound();
  return row;
}

function linksOf({ type, url, links = [] }: NewDocument): string[] {
  if (type !== 'website') return [];
  return [...new Set([...(url === undefined ? [] : [url]), ...links.map(({ link }) => link)])];
}

function sourceOf({ file, content }: NewDocument): Buffer | null {
  if (file !== undefined) return Buffer.from(file, 'base64');
  return content === undefined ? null : Buffer.from(content, 'utf8');
}

function documentNotFound(): DomainError {
  return new DomainError('not-found', 'Document not found');
}
