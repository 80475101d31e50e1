/** Knowledge bases, their documents, and the passages of the documents that a search finds. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { document, generatedId, instant, looseId, owner } from './columns.ts';
import { LlmModel } from './lookup.ts';
import { User } from './user.ts';

export const Knowledgebase = defineEntity({
  name: 'Knowledgebase',
  tableName: 'knowledgebases',
  indexes: [{ name: 'knowledgebases_user_id_id_index', properties: ['userId', 'id'] }],
  properties: {
    id: generatedId(),
    userId: owner,
    name: p.text(),
    description: p.text().strictNullable(),
    /** The model that embeds its passages; null: passages are found by their words only. */
    embeddingModelId: () =>
      p
        .manyToOne(LlmModel)
        .mapToPk()
        .joinColumn('embedding_model_id')
        .deleteRule('no action')
        .strictNullable(),
    /** Why the last request for embeddings failed, as a sentence for the owner; null after a success. */
    embeddingFailure: p.text().strictNullable(),
    /** Requests that have failed since the last success. */
    embeddingFailures: p.integer().default(0),
    /** Tokens that the provider has counted, or their estimate, for passages and not for questions. */
    embeddingTokens: p.bigint('number').defaultRaw('0'),
    /** What they cost by the prices of the time; null when a price was not known. */
    embeddingCost: p.decimal('number').columnType('numeric(18,6)').strictNullable().default(0),
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
    type: p.enum(['website', 'pdf', 'docx', 'txt', 'md', 'html']),
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
    /** How many of its passages, from the first, have an embedding of the model of the knowledge base. */
    embeddedChunks: p.integer().default(0),
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

/**
 * The code of a passage's embedding: 512 bits, which a search compares with those of all passages of a knowledge base. It
 * selects candidates. Written and searched with SQL only: docs/decisions/knowledge-bases.md.
 */
export const ChunkCode = defineEntity({
  name: 'ChunkCode',
  tableName: 'chunk_codes',
  indexes: [
    {
      name: 'chunk_codes_knowledgebase_id_llm_model_id_index',
      properties: ['knowledgebaseId', 'llmModelId'],
    },
  ],
  properties: {
    chunkId: () =>
      p.manyToOne(DocumentChunk).mapToPk().primary().joinColumn('chunk_id').deleteRule('cascade'),
    knowledgebaseId: looseId(),
    /** The model that made it. Only embeddings of the same model can be compared. */
    llmModelId: looseId(),
    code: p.text().columnType('bit(512)'),
  },
});

/** The embedding itself, by which the candidates are ranked. Apart from the codes, so that these are few pages. */
export const ChunkVector = defineEntity({
  name: 'ChunkVector',
  tableName: 'chunk_vectors',
  properties: {
    chunkId: () =>
      p.manyToOne(DocumentChunk).mapToPk().primary().joinColumn('chunk_id').deleteRule('cascade'),
    /** The numbers of the embedding as signed bytes. */
    vector: p.blob(),
  },
});

/** How many passages of a user were embedded on the last day on which any were. */
export const EmbeddingUsage = defineEntity({
  name: 'EmbeddingUsage',
  tableName: 'embedding_usage',
  properties: {
    userId: () => p.manyToOne(User).mapToPk().primary().joinColumn('user_id').deleteRule('cascade'),
    /** The day in UTC. */
    day: p.date(),
    passages: p.integer(),
  },
});

/** A row of {@link Knowledgebase}. */
export type KnowledgebaseRow = InferEntity<typeof Knowledgebase>;
/** A row of {@link Document}. */
export type DocumentRow = InferEntity<typeof Document>;
