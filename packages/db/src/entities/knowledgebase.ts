/** Knowledge bases, their documents, and the passages of the documents that a search finds. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { document, generatedId, instant, owner } from './columns.ts';

export const Knowledgebase = defineEntity({
  name: 'Knowledgebase',
  tableName: 'knowledgebases',
  indexes: [{ name: 'knowledgebases_user_id_id_index', properties: ['userId', 'id'] }],
  properties: {
    id: generatedId(),
    userId: owner,
    name: p.text(),
    description: p.text().strictNullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

export const Document = defineEntity({
  name: 'Document',
  tableName: 'documents',
  indexes: [
    { name: 'documents_knowledgebase_id_id_index', properties: ['knowledgebaseId', 'id'] },
    { name: 'documents_user_id_index', properties: ['userId'] },
  ],
  properties: {
    id: generatedId(),
    userId: owner,
    knowledgebaseId: () =>
      p.manyToOne(Knowledgebase).mapToPk().joinColumn('knowledgebase_id').deleteRule('cascade'),
    name: p.text(),
    description: p.text().strictNullable(),
    type: p.enum(['website', 'pdf', 'txt', 'md', 'html']),
    status: p.enum(['processing', 'active', 'failed']),
    /** Why it failed; null otherwise. */
    failure: p.text().strictNullable(),
    /** The pages of a website. */
    links: document<string[]>(),
    /** How many pages that the first one links to are read as well; null: none. */
    relativeLinksLimit: p.integer().strictNullable(),
    /** Length of its text; 0 until it is active. */
    characters: p.integer(),
    chunks: p.integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

/** What was uploaded, until its text has been read. */
export const DocumentSource = defineEntity({
  name: 'DocumentSource',
  tableName: 'document_sources',
  properties: {
    documentId: () =>
      p.manyToOne(Document).mapToPk().primary().joinColumn('document_id').deleteRule('cascade'),
    content: p.blob(),
  },
});

/** A passage of a document. Written and searched with SQL only. */
export const DocumentChunk = defineEntity({
  name: 'DocumentChunk',
  tableName: 'document_chunks',
  indexes: [
    { name: 'document_chunks_document_id_position_index', properties: ['documentId', 'position'] },
    {
      name: 'document_chunks_terms_index',
      expression:
        'create index "document_chunks_terms_index" on "document_chunks" using gin ("terms") with (fastupdate = off)',
    },
  ],
  properties: {
    id: generatedId(),
    documentId: () => p.manyToOne(Document).mapToPk().joinColumn('document_id').deleteRule('cascade'),
    /** From 0. */
    position: p.integer(),
    content: p.text(),
    /** The words of the passage, each after the id of the knowledge base and a slash. */
    terms: p.text().columnType('tsvector'),
  },
});

/** A row of {@link Knowledgebase}. */
export type KnowledgebaseRow = InferEntity<typeof Knowledgebase>;
/** A row of {@link Document}. */
export type DocumentRow = InferEntity<typeof Document>;
