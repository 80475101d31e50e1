/**
 * Knowledge bases: documents that assistants use to answer. An assistant has at most one (`knowledgebase_id`), either as a
 * part of its prompt or behind a tool that it calls (`knowledgebase_mode`). See docs/decisions/knowledge-bases.md.
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { wording } from './field-wording.ts';
import {
  base64File,
  choice,
  idParameter,
  integer,
  list,
  MAX_FILE_VALUES,
  nullable,
  requiredText,
  shape,
  text,
  webAddress,
} from './fields.ts';
import { MAX_FILE_BYTES } from './form-choices.ts';

/** A file in base64 takes four bytes for three; the other fields need little. */
const MAX_DOCUMENT_BODY_BYTES = 28 * 1024 * 1024;
const MAX_NAME = 255;
const MAX_ADDRESS = 2048;
/** Web pages of one document. */
export const MAX_PAGES = 50;

/** How an assistant uses its knowledge base: with a tool that it calls, or always in its prompt. */
export const knowledgebaseModes = ['function_call', 'prompt'] as const;

/** What a document is made of. */
export const documentTypes = ['website', 'pdf', 'docx', 'txt', 'md', 'html'] as const;
/** `processing`: its text is being read. */
export const documentStatuses = ['processing', 'active', 'failed'] as const;
/**
 * `off`: passages are found by their words only. `processing`: passages wait for their embeddings. `failed`: the last
 * request to the provider failed, and will be repeated.
 */
const embeddingStatuses = ['off', 'processing', 'active', 'failed'] as const;
/** `failed`: at least one document failed. */
export const knowledgebaseStatuses = ['empty', 'processing', 'active', 'failed'] as const;

const knowledgebaseRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    status: z.enum(knowledgebaseStatuses),
    status_label: z.string(),
    documents_count: z.int(),
    assistants_count: z.int(),
    /** The characters of the text of all documents that are active. */
    characters_count: z.int(),
    /** Passages of all documents that are active. */
    chunks_count: z.int(),
    /** One of `embedding_models` of a provider; null: passages are found by their words only. */
    embedding_model_id: z.int().nullable(),
    embedding_status: z.enum(embeddingStatuses),
    /** Why the last request to the provider failed; null otherwise. */
    embedding_error: z.string().nullable(),
    /** Passages with an embedding of this model. */
    embedded_chunks_count: z.int(),
    /** Tokens of all passages that were embedded so far, also with other models. */
    embedding_tokens: z.int(),
    /** What they cost by the price list; null when a price was not known. */
    embedding_cost: z.number().nullable(),
    created_at: isoMicrosecondsField,
    updated_at: isoMicrosecondsField,
  })
  .meta({ id: 'Knowledgebase' });

const documentRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    type: z.enum(documentTypes),
    type_label: z.string(),
    status: z.enum(documentStatuses),
    status_label: z.string(),
    /** Why it failed; null otherwise. */
    error: z.string().nullable(),
    /** The addresses of a website; empty for other types. */
    links: z.array(z.strictObject({ link: z.string() })),
    characters_count: z.int(),
    /** Passages that a search can find. */
    chunks_count: z.int(),
    created_at: isoMicrosecondsField,
    updated_at: isoMicrosecondsField,
  })
  .meta({ id: 'Document' });

const name = requiredText({ maximum: MAX_NAME });
const description = nullable(text({ maximum: MAX_NAME })).optional();
/** The same model as before repeats a request that has failed at once. */
const embeddingModel = nullable(integer({ minimum: 1 })).optional();
const address = webAddress().refine((value) => value.length <= MAX_ADDRESS, {
  error: wording.atMostCharacters(MAX_ADDRESS),
});

/** Creates a knowledge base. */
export const newKnowledgebaseBody = shape({
  name,
  description,
  embedding_model_id: embeddingModel,
}).meta({ id: 'NewKnowledgebase' });
/** Omitted fields stay unchanged. */
export const knowledgebaseChangesBody = shape({
  name: name.optional(),
  description,
  embedding_model_id: embeddingModel,
}).meta({ id: 'KnowledgebaseChanges' });

/** In `multipart/form-data` it is the part `file`. */
const file = base64File(MAX_FILE_BYTES);

/** Creates a document from one source. */
export const newDocumentBody = shape({
  name,
  description,
  type: choice(documentTypes),
  url: address.optional(),
  links: list(shape({ link: address }), { maximum: MAX_PAGES }).optional(),
  relative_links_limit: integer({ minimum: 1, maximum: MAX_PAGES }).optional(),
  content: requiredText().optional(),
  file: file.optional(),
})
  .superRefine((given, context) => {
    // A field that is wrong by itself says so once, and is no reason to refuse another one.
    const wrong = new Set(context.issues.map(({ path }) => path?.[0]));
    for (const [field, message, other] of documentFaults(given))
      if (!wrong.has(field) && !wrong.has(other ?? field))
        context.addIssue({ code: 'custom', path: [field], message });
  })
  .meta({ id: 'NewDocument' });

interface DocumentSources {
  type?: (typeof documentTypes)[number] | undefined;
  url?: string | undefined;
  links?: readonly unknown[] | undefined;
  relative_links_limit?: number | undefined;
  content?: string | undefined;
  file?: string | undefined;
}

/** The field, what is wrong with it, and another field that is the reason. */
type DocumentFault = readonly [field: string, message: string, other?: string];

/** A document has one source: the pages of a website (`url`, `links` or both), a file, or for text also `content`. */
function documentFaults(given: DocumentSources): DocumentFault[] {
  const { type, url, content, file: sentFile, relative_links_limit: limit } = given;
  const hasLinks = (given.links?.length ?? 0) > 0;
  const faults: DocumentFault[] = [];
  const refuse = (field: string, isWrong: boolean, ...why: [message: string, other?: string]): void => {
    if (isWrong) faults.push([field, ...why]);
  };
  if (type === 'website') {
    refuse('url', url === undefined && !hasLinks, wording.required);
    refuse('relative_links_limit', limit !== undefined && url === undefined, wording.selected);
    refuse('file', sentFile !== undefined, 'The :attribute field is not for a website.');
    refuse('content', content !== undefined, 'The :attribute field is not for a website.');
    return faults;
  }
  const sourceless = 'The :attribute field is for a website only.';
  refuse('url', url !== undefined, sourceless);
  refuse('links', hasLinks, sourceless);
  refuse('relative_links_limit', limit !== undefined, sourceless);
  const isBinary = type === 'pdf' || type === 'docx';
  const binaryName = type === 'pdf' ? 'PDF' : 'Word document';
  refuse('content', isBinary && content !== undefined, `The :attribute of a ${binaryName} is sent as file.`);
  refuse('file', sentFile === undefined && (content === undefined || isBinary), wording.required);
  refuse(
    'content',
    sentFile !== undefined && content !== undefined,
    'The :attribute field must not be sent together with file.',
    'file',
  );
  return faults;
}

/** Omitted fields stay unchanged. What a document contains cannot be changed. */
const documentChangesBody = shape({ name: name.optional(), description }).meta({ id: 'DocumentChanges' });

const documentParameters = idParameter.extend({ document_id: idParameter.shape.id });

/** A knowledge base. */
export type KnowledgebaseRecord = z.output<typeof knowledgebaseRecord>;
/** A document of a knowledge base. */
export type DocumentRecord = z.output<typeof documentRecord>;
/** The body that creates a knowledge base. */
export type NewKnowledgebase = z.output<typeof newKnowledgebaseBody>;
/** What of a knowledge base changes. */
export type KnowledgebaseChanges = z.output<typeof knowledgebaseChangesBody>;
/** The body that creates a document. */
export type NewDocument = z.output<typeof newDocumentBody>;
/** What of a document changes. */
export type DocumentChanges = z.output<typeof documentChangesBody>;

const LIST_PATH = '/api/user/knowledgebases';
const ONE_PATH = '/api/user/knowledgebases/:id';
const DOCUMENTS_PATH = '/api/user/knowledgebases/:id/documents';
const DOCUMENT_PATH = '/api/user/knowledgebases/:id/documents/:document_id';
const writtenKnowledgebase = written(knowledgebaseRecord).meta({ id: 'KnowledgebaseWritten' });
const writtenDocument = written(documentRecord).meta({ id: 'DocumentWritten' });
const ofBase = { notFoundMessage: 'Knowledge base not found' };
const ofDocument = { notFoundMessage: 'Document not found' };

/** The endpoints of knowledge bases. */
export const knowledgebases = c.router({
  list: {
    method: 'GET',
    path: LIST_PATH,
    summary: 'List your knowledge bases',
    responses: { 200: z.strictObject({ data: z.array(knowledgebaseRecord) }) },
    metadata: metadata({ scope: 'read' }),
  },
  create: {
    method: 'POST',
    path: LIST_PATH,
    summary: 'Create a knowledge base',
    body: newKnowledgebaseBody,
    responses: { 201: writtenKnowledgebase, ...bodyErrors },
    metadata: metadata({ scope: 'write' }),
  },
  get: {
    method: 'GET',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Read a knowledge base',
    responses: { 200: z.strictObject({ data: knowledgebaseRecord }), ...singleErrors },
    metadata: metadata({ scope: 'read', ...ofBase }),
  },
  update: {
    method: 'PUT',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Change the name, the description or the embedding model of a knowledge base',
    body: knowledgebaseChangesBody,
    responses: { 200: writtenKnowledgebase, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', ...ofBase }),
  },
  remove: {
    method: 'DELETE',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Delete a knowledge base that no assistant uses, with its documents',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', ...ofBase }),
  },
});

/** The endpoints of documents. */
export const documents = c.router({
  list: {
    method: 'GET',
    path: DOCUMENTS_PATH,
    pathParams: idParameter,
    summary: 'List the documents of a knowledge base',
    responses: { 200: z.strictObject({ data: z.array(documentRecord) }), ...singleErrors },
    metadata: metadata({ scope: 'read', ...ofBase }),
  },
  create: {
    method: 'POST',
    path: DOCUMENTS_PATH,
    pathParams: idParameter,
    summary: 'Add a document to a knowledge base: web pages, a file or text',
    body: newDocumentBody,
    responses: { 201: writtenDocument, ...bodyErrors, ...singleErrors },
    metadata: metadata({
      scope: 'write',
      maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
      maxBodyValues: MAX_FILE_VALUES,
      acceptsForm: true,
      ...ofBase,
    }),
  },
  get: {
    method: 'GET',
    path: DOCUMENT_PATH,
    pathParams: documentParameters,
    summary: 'Read the state of a document',
    responses: { 200: z.strictObject({ data: documentRecord }), ...singleErrors },
    metadata: metadata({ scope: 'read', ...ofDocument }),
  },
  update: {
    method: 'PUT',
    path: DOCUMENT_PATH,
    pathParams: documentParameters,
    summary: 'Rename or describe a document; its content cannot be changed',
    body: documentChangesBody,
    responses: { 200: writtenDocument, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', ...ofDocument }),
  },
  remove: {
    method: 'DELETE',
    path: DOCUMENT_PATH,
    pathParams: documentParameters,
    summary: 'Delete a document',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', ...ofDocument }),
  },
});
