/** Reads the text of a document and stores its passages. A repetition of a finished document does nothing. */
import {
  findDocumentToRead,
  MAX_DOCUMENT_CHARACTERS,
  storeDocument,
  type DocumentToRead,
  type ReadOutcome,
} from '@parley/core';
import { publicOnly } from '@parley/runtime/guarded-http';
import { extractText } from '../documents/extract-text.ts';
import { readWebsite } from '../documents/read-website.ts';
import type { WorkerContext } from '../worker-context.ts';

export async function readDocument(
  worker: WorkerContext,
  { documentId }: { documentId: number },
): Promise<void> {
  const found = await findDocumentToRead(worker.core, documentId);
  if (!found) return;
  const outcome = await read(worker, found);
  if ('failure' in outcome) worker.core.log.info({ documentId }, 'A document could not be read');
  await storeDocument(worker.core, documentId, outcome);
}

async function read({ core, pages }: WorkerContext, found: DocumentToRead): Promise<ReadOutcome> {
  const { type, content, links, relativeLinksLimit, isOperators } = found;
  const { clock } = core;
  const maxCharacters = MAX_DOCUMENT_CHARACTERS;
  if (type === 'website')
    return readWebsite(
      { client: isOperators ? pages : publicOnly(pages), clock },
      { links, relativeLinksLimit, maxCharacters },
    );
  if (content === null) return { failure: 'Its file is missing.' };
  return extractText(clock, { type, content, maxCharacters });
}
