/** Translates knowledge bases and documents to the API. */
import { isoMicroseconds, type DocumentRecord, type KnowledgebaseRecord } from '@parley/contracts';
import type { DocumentRow, KnowledgebaseRow } from '@parley/db';

/** What is counted for a knowledge base. */
export interface KnowledgebaseCounts {
  documents: number;
  processing: number;
  failed: number;
  characters: number;
  chunks: number;
  embedded: number;
  assistants: number;
}

const STATUS_LABELS = {
  empty: 'Empty',
  processing: 'Processing',
  active: 'Active',
  failed: 'Failed',
} as const;
const TYPE_LABELS = {
  website: 'Website',
  pdf: 'PDF',
  docx: 'Word',
  txt: 'TXT',
  md: 'Markdown',
  html: 'HTML',
} as const;

/** The record of a knowledge base. */
export function knowledgebaseRecord(row: KnowledgebaseRow, counts: KnowledgebaseCounts): KnowledgebaseRecord {
  const status = statusOf(counts);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status,
    status_label: STATUS_LABELS[status],
    documents_count: counts.documents,
    assistants_count: counts.assistants,
    characters_count: counts.characters,
    chunks_count: counts.chunks,
    embedding_model_id: row.embeddingModelId,
    embedding_status: embeddingStatusOf(row, counts),
    embedding_error: row.embeddingFailure,
    embedded_chunks_count: counts.embedded,
    embedding_tokens: row.embeddingTokens,
    embedding_cost: row.embeddingCost,
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}

function statusOf({ documents, processing, failed }: KnowledgebaseCounts): KnowledgebaseRecord['status'] {
  if (documents === 0) return 'empty';
  if (processing > 0) return 'processing';
  return failed > 0 ? 'failed' : 'active';
}

function embeddingStatusOf(
  { embeddingModelId, embeddingFailure }: KnowledgebaseRow,
  { chunks, embedded }: KnowledgebaseCounts,
): KnowledgebaseRecord['embedding_status'] {
  if (embeddingModelId === null) return 'off';
  if (embedded >= chunks) return 'active';
  return embeddingFailure === null ? 'processing' : 'failed';
}

/** The record of a document. */
export function documentRecord(row: DocumentRow): DocumentRecord {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    type_label: TYPE_LABELS[row.type],
    status: row.status,
    status_label: STATUS_LABELS[row.status],
    error: row.failure,
    links: row.links.map((link) => ({ link })),
    characters_count: row.characters,
    chunks_count: row.chunks,
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}
